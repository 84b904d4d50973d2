import re

from aiohttp import web
from aiohttp_session import get_session


async def switch_skin(request):
    form = await request.post()
    session = await get_session(request)
    skin = form.get("skin", "")
    if re.match(r"[a-z]+", skin):
        session["skin"] = skin
    return web.json_response({"ok": "skin" in session})
