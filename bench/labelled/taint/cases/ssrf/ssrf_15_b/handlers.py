from aiohttp import web

from .backend import ask


async def translate(request):
    data = await request.post()
    region = data.get("region", "eu")
    words = len(data.get("text", "").split())
    status = await ask(region, words)
    return web.json_response({"status": status})
