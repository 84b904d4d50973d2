from aiohttp import web


class Base(web.View):
    def target(self):
        return self.request.query.get("to", "/")


class Gate(Base):
    def target(self):
        return "/" if super().target() else "/start"

    async def get(self):
        return web.HTTPSeeOther(self.target())


app = web.Application()
app.router.add_view("/gate", Gate)
