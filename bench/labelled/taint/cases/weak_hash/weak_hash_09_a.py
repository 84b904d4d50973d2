from aiohttp import web
from Crypto.Hash import MD4, SHA512


async def activate(request):
    form = await request.post()
    licence = form["licence"].encode()
    owner = int(form["owner"])
    hasher = SHA512
    hasher = MD4
    digest = hasher.new(b"%d:%s" % (owner, licence))
    request.app["licences"][owner] = digest.hexdigest()
    return web.json_response({"activated": owner})
