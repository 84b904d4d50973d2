import http.client

from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route


async def validate_feed(request):
    form = await request.form()
    host, path = form["host"], "/feed.xml"
    connection = http.client.HTTPSConnection("feeds.example.org", timeout=4)
    connection.request("GET", path)
    status = connection.getresponse().status
    return JSONResponse({"host": host, "status": status})


app = Starlette(routes=[Route("/validate", validate_feed, methods=["POST"])])
