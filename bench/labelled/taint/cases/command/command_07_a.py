import asyncio

from aiohttp import web

SERVICES = ("nginx", "redis", "worker")
routes = web.RouteTableDef()


@routes.post("/service/restart")
async def restart_service(request):
    data = await request.json()
    name = data["name"]
    if not any(name.startswith(known) for known in SERVICES):
        raise web.HTTPBadRequest(text="unknown service")
    process = await asyncio.create_subprocess_shell("systemctl restart " + name)
    return web.json_response({"code": await process.wait()})
