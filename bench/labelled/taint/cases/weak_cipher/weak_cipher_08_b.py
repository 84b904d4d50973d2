from aiohttp import web
from Crypto.Cipher import ARC4


async def seal_cookie(request):
    state = await request.text()
    key = request.app["cookie_key"]
    try:
        sealed = ARC4.new(key).encrypt(state.encode())
    except ValueError:
        raise web.HTTPServiceUnavailable()
    return web.json_response({"sealed": sealed.hex()})
