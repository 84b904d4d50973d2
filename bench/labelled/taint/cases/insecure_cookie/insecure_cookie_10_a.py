import secrets

from aiohttp import web


async def open_session(request):
    response = web.json_response({"ok": True})
    flags = (False, True)
    secure = flags[1]
    response.set_cookie("AIOSESSION", secrets.token_hex(16), secure=secure, httponly=True)
    return response


app = web.Application()
app.router.add_post("/session", open_session)
