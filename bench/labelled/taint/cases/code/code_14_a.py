from aiohttp import web

CASTS = {"int": int, "float": float, "str": str}


async def map_values(request):
    cast = request.query.get("cast", "str")
    values = request.query.getall("value", [])
    convert = CASTS.get(cast, str)
    try:
        return web.json_response({"values": [convert(value) for value in values]})
    except (TypeError, ValueError):
        raise web.HTTPBadRequest()
