import hashlib

from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route


async def cached_page(request):
    body = await request.body()
    token = hashlib.md5(request.headers["authorization"].encode()).hexdigest()
    return JSONResponse({"token": token, "size": len(body)}, headers={"Cache-Control": "no-store"})


app = Starlette(routes=[Route("/page", cached_page, methods=["POST"])])
