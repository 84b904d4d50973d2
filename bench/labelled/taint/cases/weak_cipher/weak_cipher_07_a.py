from aiohttp import web
from Crypto.Cipher import ChaCha20_Poly1305


async def wrap(request):
    data = await request.read()
    key = request.app["key"]
    cipher = ChaCha20_Poly1305.new(key=key)
    body, tag = cipher.encrypt_and_digest(data)
    sealed = cipher.nonce + tag + body
    return web.Response(body=sealed, content_type="application/octet-stream")
