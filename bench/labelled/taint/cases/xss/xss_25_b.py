from string import Template

from aiohttp import web

PAGE = Template("<html><body><h1>$title</h1><p>$state</p></body></html>")


async def status_page(request):
    state = request.query.get("state", "up")
    title = "Status"
    text = PAGE.substitute(title=title, state=state)
    return web.Response(text=text, headers={"Content-Type": "text/html; charset=utf-8"})
