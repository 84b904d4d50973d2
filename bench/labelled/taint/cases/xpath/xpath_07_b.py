from aiohttp import web
from lxml import etree

HOTEL = etree.parse("/srv/data/hotel.xml")
KINDS = {"single", "double", "suite"}


async def list_rooms(request):
    kind = request.query.get("kind", "single").strip()
    if kind not in KINDS:
        kind = "single"
    find = etree.XPath("//room[@kind='%s']" % kind)
    rooms = find(HOTEL)
    return web.json_response({"rooms": [room.get("number") for room in rooms]})
