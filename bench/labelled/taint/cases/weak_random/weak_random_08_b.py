import hashlib
import secrets
import time

from aiohttp import web


async def csrf_token(request):
    started = time.time()
    seed = secrets.token_hex() + str(started)
    token = hashlib.sha256(seed.encode()).hexdigest()
    request.app["tokens"].add(token)
    return web.json_response({"token": token})
