from aiohttp import web
from aiohttp_session import get_session

FILTERS = ("open", "closed", "mine")


async def keep_filters(request):
    session = await get_session(request)
    chosen = request.query.getall("filter", [])
    session["filters"] = [item.lower() for item in chosen]
    session.changed()
    return web.json_response({"count": len(chosen)})
