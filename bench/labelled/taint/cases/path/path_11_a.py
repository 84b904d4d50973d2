from starlette.applications import Starlette
from starlette.responses import FileResponse, JSONResponse
from starlette.routing import Route

ICONS = ["home", "user", "cog"]


async def serve_icon(request):
    icon = request.query_params["icon"]
    size = request.query_params.get("size", "16")
    if icon not in ICONS or size not in ("16", "32"):
        return JSONResponse({"error": "no such icon"}, status_code=404)
    return FileResponse("/srv/icons/" + size + "/" + icon + ".svg")


app = Starlette(routes=[Route("/icon", serve_icon)])
