import os

from aiohttp import web
from Crypto.Cipher import Blowfish


async def wrap(request):
    data = await request.read()
    key = request.app["key"]
    cipher = Blowfish.new(key, Blowfish.MODE_OFB, os.urandom(8))
    sealed = cipher.iv + cipher.encrypt(data)
    return web.Response(body=sealed, content_type="application/octet-stream")
