import html

from aiohttp import web


class GuestBook(web.View):
    entries = []

    async def post(self):
        form = await self.request.post()
        self.entries.append(html.escape(form["text"]))
        items = "".join(map(lambda entry: "<li>" + entry + "</li>", self.entries))
        return web.Response(body=("<ul>" + items + "</ul>").encode(), content_type="text/html")


app = web.Application()
app.router.add_view("/guests", GuestBook)
