from aiohttp import web
from ldap3 import Connection, Server
from ldap3.utils.dn import escape_rdn


async def check_password(request):
    form = await request.post()
    user, secret = form["user"], form["secret"]
    if not secret:
        raise web.HTTPForbidden()
    dn = "uid=" + escape_rdn(user) + ",ou=people,dc=example,dc=org"
    connection = Connection(Server("ldap.internal"), user=dn, password=secret)
    return web.json_response({"ok": connection.bind()})
