from aiohttp import web
from cryptography.fernet import Fernet


async def seal_cookie(request):
    state = await request.text()
    key = request.app["cookie_key"]
    try:
        sealed = Fernet(key).encrypt(state.encode())
    except ValueError:
        raise web.HTTPServiceUnavailable()
    return web.json_response({"sealed": sealed.hex()})
