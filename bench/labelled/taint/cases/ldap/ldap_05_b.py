import ldap
from fastapi import FastAPI
from ldap.filter import escape_filter_chars

app = FastAPI()


@app.get("/mail")
def lookup_mail(address: str):
    value = escape_filter_chars(address.strip())
    directory = ldap.initialize("ldaps://directory.internal")
    parts = ["(|", "(mail=", value, ")", "(alias=", value, "))"]
    rows = directory.search_ext_s("dc=example,dc=org", ldap.SCOPE_SUBTREE, "".join(parts))
    return {"known": bool(rows)}
