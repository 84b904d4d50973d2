from aiohttp import web


async def sign_in(request):
    form = await request.post()
    target = form.get("return_to", "/")
    target = "/account" if target == "account" else "/"
    raise web.HTTPFound(location=target)


app = web.Application()
app.router.add_post("/sign-in", sign_in)
