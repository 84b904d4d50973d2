import xml.etree.ElementTree as ET

from aiohttp import web


async def patient_file(request):
    number = request.match_info["number"]
    try:
        wanted = int(number)
    except ValueError:
        raise web.HTTPBadRequest()
    tree = ET.parse("/srv/data/patients.xml")
    nodes = tree.findall(f".//patient[@number='{wanted}']/visit")
    return web.json_response({"visits": len(nodes)})


app = web.Application()
app.router.add_get("/patients/{number}", patient_file)
