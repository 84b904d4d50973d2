import asyncio
import re

from fastapi import FastAPI, HTTPException

app = FastAPI()
HOST = re.compile(r"[a-z0-9.-]+")


@app.get("/trace")
async def trace_route(host: str, hops: int = 8):
    if host.startswith("-") or not HOST.fullmatch(host):
        raise HTTPException(400, "host not understood")
    process = await asyncio.create_subprocess_shell(
        f"traceroute -m {hops} {host}",
        stdout=asyncio.subprocess.PIPE,
    )
    out, _ = await process.communicate()
    return {"hops": out.count(b"\n")}
