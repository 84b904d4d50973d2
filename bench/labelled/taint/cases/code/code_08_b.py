import json

from aiohttp import web


class PluginView(web.View):
    async def post(self):
        reader = await self.request.multipart()
        part = await reader.next()
        content = (await part.read()).decode()
        namespace = {}
        namespace.update(json.loads(content))
        return web.json_response({"names": len(namespace)})


app = web.Application()
app.router.add_view("/plugins", PluginView)
