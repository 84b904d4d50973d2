import ldap
from aiohttp import web


def build_filter(**criteria):
    clauses = []
    for name, value in criteria.items():
        clauses.append("(%s=%s)" % (name, value))
    return "(&" + "".join(clauses) + ")"


async def search_staff(request):
    criteria = build_filter(sn=request.query.get("surname", ""), l=request.query.get("city", ""))
    directory = ldap.initialize("ldaps://directory.internal")
    rows = directory.search_s("ou=staff,dc=example,dc=org", ldap.SCOPE_ONELEVEL, criteria)
    return web.json_response({"rows": len(rows)})
