import asyncio

from aiohttp import web


@web.middleware
async def read_volume(request, handler):
    request["volume"] = request.query.get("volume", "root")
    request["label"] = "manual"
    return await handler(request)


async def take_snapshot(request):
    name = request["volume"]
    process = await asyncio.create_subprocess_shell(f"lvcreate -s -n snap_{name} /dev/vg0/data")
    return web.json_response({"code": await process.wait()})


app = web.Application(middlewares=[read_volume])
app.router.add_post("/snapshot", take_snapshot)
