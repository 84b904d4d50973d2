from html import escape

from starlette.applications import Starlette
from starlette.responses import HTMLResponse
from starlette.routing import Route


async def avatar(request):
    alt = request.query_params.get("alt", "avatar")
    text = escape(alt, quote=False)
    image = '<img src="/static/avatar.png" alt="{}">'.format(text)
    return HTMLResponse(image)


app = Starlette(routes=[Route("/avatar", avatar)])
