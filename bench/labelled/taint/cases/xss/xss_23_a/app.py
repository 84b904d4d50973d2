from aiohttp import web

from .render import to_html


async def wiki_page(request):
    source = (await request.post()).get("source", "")
    page = to_html(source)
    return web.Response(text=page, content_type="text/html")


app = web.Application()
app.router.add_post("/wiki", wiki_page)
