import hashlib
import random
import time

from aiohttp import web


async def csrf_token(request):
    random.seed(time.time())
    seed = str(random.random())
    token = hashlib.sha256(seed.encode()).hexdigest()
    request.app["tokens"].add(token)
    return web.json_response({"token": token})
