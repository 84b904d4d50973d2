from pathlib import Path

from aiohttp import web

INVOICES = Path("/srv/invoices")


async def get_invoice(request):
    number = request.query.get("number", "")
    if not number:
        raise web.HTTPBadRequest()
    path = INVOICES.joinpath(number + ".pdf")
    if not path.exists():
        raise web.HTTPNotFound()
    return web.FileResponse(path)


app = web.Application()
app.add_routes([web.get("/invoice", get_invoice)])
