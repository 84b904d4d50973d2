import httpx
from fastapi import Depends, FastAPI, Query

app = FastAPI()


class Target:
    def __init__(self, host: str = Query("a"), page: int = Query(1)):
        self.host, self.page = host, page


@app.get("/metadata")
async def fetch_metadata(target: Target = Depends()):
    async with httpx.AsyncClient(timeout=3) as client:
        answer = await client.get("https://meta.example.org/%d.json" % target.page)
    return {"status": answer.status_code}
