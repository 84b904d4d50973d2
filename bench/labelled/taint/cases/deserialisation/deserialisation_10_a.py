import json

from aiohttp import web


async def receive_event(request):
    payload = await request.read()
    kind = request.headers.get("X-Kind", "event")
    if kind not in ("event", "batch"):
        raise web.HTTPUnsupportedMediaType()
    event = json.loads(payload.decode("utf-8"))
    return web.json_response({"kind": kind, "size": len(event)})
