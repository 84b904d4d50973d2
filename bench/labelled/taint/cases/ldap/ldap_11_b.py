import ldap
from fastapi import FastAPI
from ldap.filter import escape_filter_chars

app = FastAPI()
UNITS = {"hq": "ou=hq", "lab": "ou=lab"}


@app.get("/printers")
def list_printers(unit: str = "hq", model: str = "*"):
    base = "%s,dc=example,dc=org" % UNITS.get(unit, "ou=hq")
    criteria = "(&(objectClass=printer)(model=%s))" % escape_filter_chars(model)
    directory = ldap.initialize("ldaps://directory.internal")
    return {"count": len(directory.search_s(base, ldap.SCOPE_SUBTREE, criteria))}
