import secrets

from aiohttp import web
from cryptography.hazmat.primitives import hashes


async def create_key(request):
    key = secrets.token_bytes(32)
    digest = hashes.Hash(hashes.SHA256())
    digest.update(key)
    request.app["keys"].add(digest.finalize())
    return web.json_response({"key": key.hex()})


app = web.Application()
app["keys"] = set()
