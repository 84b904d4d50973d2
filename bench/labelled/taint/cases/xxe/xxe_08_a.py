from aiohttp import web
from lxml import etree

DEFAULT = b"<schema><field>id</field></schema>"


async def load_schema(request):
    posted = await request.read()
    parser = etree.XMLParser(load_dtd=True, no_network=False, resolve_entities=True)
    source = DEFAULT
    root = etree.fromstring(source, parser)
    fields = [field.text for field in root.iter("field")]
    return web.json_response({"fields": fields, "bytes": len(posted)})
