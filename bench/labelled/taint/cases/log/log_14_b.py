import logging

from aiohttp import web

log = logging.getLogger("imports")


async def catch_error(request):
    amount = (await request.post()).get("amount", "0")
    try:
        value = float(amount)
    except ValueError:
        log.exception("not a number: %s" % amount)
        raise web.HTTPBadRequest()
    return web.json_response({"double": value * 2})
