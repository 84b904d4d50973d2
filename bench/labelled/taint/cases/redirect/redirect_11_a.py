import re

from aiohttp import web

PATH = re.compile(r"/(?:[a-z0-9-]+/)*[a-z0-9-]*")


async def canonical(request):
    path = request.query.get("path", "/").lower()
    if not PATH.fullmatch(path):
        raise web.HTTPNotFound()
    return web.Response(status=301, headers={"Location": path})


app = web.Application()
app.router.add_get("/canonical", canonical)
