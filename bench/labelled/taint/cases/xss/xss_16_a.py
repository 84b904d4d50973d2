from aiohttp import web


async def show_message(request):
    message = request.query.get("message", "")
    head = "Your message was: "
    return web.Response(text=head + message, content_type="text/plain")


async def index(request):
    raise web.HTTPFound("/message")


app = web.Application()
app.add_routes([web.get("/", index), web.get("/message", show_message)])
