from aiohttp import web
from lxml import etree

PATHS = {"title": "/book/title", "author": "/book/author"}


async def read_node(request):
    path = request.query.get("path", "title")
    tree = request.app["tree"]
    found = tree.xpath(PATHS[path] if path in PATHS else PATHS["title"])
    return web.json_response({"count": len(found)})


app = web.Application()
app["tree"] = etree.parse("/srv/data/book.xml")
