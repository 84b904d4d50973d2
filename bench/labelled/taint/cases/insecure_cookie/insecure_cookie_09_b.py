import secrets

from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route


async def grant(request):
    token = secrets.token_hex(32)
    header = f"grant={token}; Path=/; HttpOnly; SameSite=Lax"
    return JSONResponse({"granted": True}, headers={"Set-Cookie": header})


app = Starlette(routes=[Route("/grant", grant, methods=["POST"])])
