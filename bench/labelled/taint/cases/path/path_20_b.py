from pathlib import Path

from aiohttp import web

DRAFTS = Path("/srv/drafts")


async def save_draft(request):
    body = await request.json()
    name, text = body["name"], body["text"]
    if isinstance(name, str):
        target = DRAFTS / f"{name}.md"
    else:
        raise web.HTTPUnprocessableEntity()
    target.write_text(str(text))
    return web.json_response({"saved": True})
