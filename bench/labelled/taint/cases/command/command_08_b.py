import os

from aiohttp import web


async def run_backup(request):
    form = await request.post()
    options = {"label": form.get("label", "manual"), "level": "3"}
    command = f"/usr/local/bin/backup --level {options['level']} --label {options['label']}"
    stream = os.popen(command)
    lines = stream.read().splitlines()
    stream.close()
    return web.json_response({"label": options["label"], "lines": len(lines)})


app = web.Application()
app.add_routes([web.post("/backup", run_backup)])
