import logging

from aiohttp import web

log = logging.getLogger("hits")


async def count_hit(request):
    page = request.query.get("page", "/")
    shown = page if page.startswith("/") else "/" + page
    log.info("hit on %s", shown)
    return web.Response(status=204)


app = web.Application()
app.router.add_get("/hit", count_hit)
