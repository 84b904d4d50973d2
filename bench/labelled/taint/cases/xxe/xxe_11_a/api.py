from fastapi import FastAPI, Request

from .xmltools import root_of

app = FastAPI()


@app.post("/messages")
async def validate_message(request: Request):
    payload = await request.body()
    root = root_of(payload)
    sender = root.findtext("sender")
    return {"sender": sender, "parts": len(root)}
