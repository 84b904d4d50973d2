import httpx
from fastapi import FastAPI, HTTPException
from pydantic import BaseModel

app = FastAPI()
BLOCKED = ("localhost", "127.0.0.1")
ALLOWED = ("https://www.example.org/", "https://docs.example.org/")


class Shot(BaseModel):
    url: str
    width: int = 800


@app.post("/screenshot")
async def screenshot(shot: Shot):
    if shot.url not in ALLOWED:
        raise HTTPException(400)
    async with httpx.AsyncClient() as client:
        answer = await client.get(shot.url)
    return {"status": answer.status_code, "width": shot.width}
