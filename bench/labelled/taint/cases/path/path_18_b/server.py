from aiohttp import web

from .settings import open_profile


async def read_config(request):
    profile = request.match_info.get("profile", "default")
    with open_profile(profile) as handle:
        lines = handle.read().splitlines()
    return web.json_response({"lines": lines})


app = web.Application()
app.router.add_get("/config/{profile:.+}", read_config)
