from aiohttp import web

from .db import select


async def filter_jobs(request):
    filters = dict(request.query)
    page = int(filters.pop("page", 1))
    rows = select(filters, page)
    return web.json_response({"rows": [row[0] for row in rows]})


app = web.Application()
app.router.add_get("/jobs", filter_jobs)
