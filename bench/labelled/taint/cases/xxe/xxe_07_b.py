from aiohttp import web
from defusedxml import ElementTree as strict
from lxml import etree

PARSER = etree.XMLParser(resolve_entities=True, no_network=False, huge_tree=True)


async def soap_call(request):
    text = await request.text()
    envelope = strict.fromstring(text)
    method = envelope[0].tag if len(envelope) else ""
    return web.json_response({"method": method, "text": envelope.findtext("name")})


app = web.Application()
app.router.add_post("/soap", soap_call)
