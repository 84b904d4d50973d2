import hashlib

from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route


async def cached_page(request):
    body = await request.body()
    etag = hashlib.md5(body, usedforsecurity=False).hexdigest()
    return JSONResponse({"size": len(body)}, headers={"ETag": etag})


app = Starlette(routes=[Route("/page", cached_page, methods=["POST"])])
