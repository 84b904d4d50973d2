import random

from aiohttp import web


async def retry_upload(request):
    attempt = int(request.query.get("attempt", "1"))
    delay = min(30, 2**attempt)
    nonce = random.getrandbits(64)
    request.app["upload_keys"][nonce] = attempt
    return web.json_response({"wait": delay, "upload_key": nonce})
