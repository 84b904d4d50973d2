import os

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool

app = FastAPI()


@app.post("/resize")
async def resize(size: str, name: str = "cover"):
    match size.split("x"):
        case [width, height] if width.isdigit() and height.isdigit():
            command = f"convert /srv/cover.png -resize {width}x{height} /tmp/{width}.png"
        case _:
            return {"error": "size", "name": len(name)}
    code = await run_in_threadpool(os.system, command)
    return {"code": code}
