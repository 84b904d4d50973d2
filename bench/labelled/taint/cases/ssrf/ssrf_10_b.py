import aiohttp
from aiohttp import web

UPSTREAM = {"a": "http://10.0.0.5:8080/", "b": "http://10.0.0.6:8080/"}


async def proxy(request):
    name = request.query.get("upstream", "a")
    target = name if "://" in name else UPSTREAM.get(name, UPSTREAM["a"])
    async with aiohttp.ClientSession() as session:
        async with session.get(target) as answer:
            return web.json_response({"status": answer.status})
