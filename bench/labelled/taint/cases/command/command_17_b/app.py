from aiohttp import web

from .encoder import Encoder

encoder = Encoder("/srv/media")


async def transcode(request):
    preset = request.query.get("preset", "fast")
    clip = int(request.match_info["clip"])
    code = await encoder.encode(clip, preset)
    return web.json_response({"clip": clip, "code": code})


app = web.Application()
app.router.add_post("/clips/{clip}/transcode", transcode)
