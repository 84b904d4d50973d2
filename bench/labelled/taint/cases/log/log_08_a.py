import logging

from aiohttp import web


class Devices:
    def __init__(self):
        self.log = logging.getLogger("devices")
        self.names = {}

    async def rename_device(self, request):
        number = int(request.match_info["number"])
        name = (await request.post())["name"]
        self.names[number] = name
        self.log.debug("device renamed: %s", self.names[number])
        return web.json_response({"renamed": number})
