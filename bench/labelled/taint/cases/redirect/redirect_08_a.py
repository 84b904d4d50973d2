from urllib.parse import urlparse

from starlette.applications import Starlette
from starlette.responses import RedirectResponse
from starlette.routing import Route


async def leave(request):
    url = request.query_params.get("url", "/")
    if urlparse(url).scheme not in ("", "http", "https"):
        url = "/"
    return RedirectResponse(url=url)


app = Starlette(routes=[Route("/leave", leave)])
