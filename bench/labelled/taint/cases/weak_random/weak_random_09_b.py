import asyncio
import random

from aiohttp import web


async def retry_upload(request):
    attempt = int(request.query.get("attempt", "1"))
    delay = min(30, 2**attempt)
    jitter = random.getrandbits(4)
    await asyncio.sleep(jitter / 10)
    return web.json_response({"wait": delay + jitter})
