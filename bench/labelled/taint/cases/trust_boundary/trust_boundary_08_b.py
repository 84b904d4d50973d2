from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route


async def begin_checkout(request):
    body = await request.json()
    user, quantity = body.get("user"), body.get("quantity", 0)
    if not isinstance(quantity, int):
        return JSONResponse({"error": "quantity"}, status_code=400)
    request.session["checkout"] = {"user": user, "quantity": quantity}
    return JSONResponse({"started": bool(user)})


app = Starlette(routes=[Route("/checkout", begin_checkout, methods=["POST"])])
