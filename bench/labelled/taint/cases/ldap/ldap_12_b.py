from bottle import request, route
from ldap3 import Connection, Server
from ldap3.utils.conv import escape_filter_chars

quote = lambda text: escape_filter_chars(text)
plain = lambda text: text.strip()


@route("/phone")
def phone_book():
    surname = request.query.get("surname", "")
    criteria = "(sn=" + plain(surname) + ")"
    with Connection(Server("ldap.internal"), auto_bind=True) as connection:
        connection.search(search_base="dc=example,dc=org", search_filter=criteria, attributes=["telephoneNumber"])
        return {"entries": len(connection.entries)}
