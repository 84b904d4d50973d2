import html

import ldap
from fastapi import FastAPI

app = FastAPI()


@app.get("/mail")
def lookup_mail(address: str):
    value = html.escape(address.strip())
    directory = ldap.initialize("ldaps://directory.internal")
    parts = ["(|", "(mail=", value, ")", "(alias=", value, "))"]
    rows = directory.search_ext_s("dc=example,dc=org", ldap.SCOPE_SUBTREE, "".join(parts))
    return {"known": bool(rows)}
