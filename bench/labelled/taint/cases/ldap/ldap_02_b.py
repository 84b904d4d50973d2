import ldap
from flask import Flask, jsonify, request

app = Flask(__name__)


@app.get("/groups/members")
def group_members():
    group = request.args.get("group", "staff")
    directory = ldap.initialize("ldaps://directory.internal")
    criteria = "(&(objectClass=groupOfNames)(cn=%s))" % group
    rows = directory.search_s("dc=example,dc=org", ldap.SCOPE_SUBTREE, criteria, ["member"])
    return jsonify(count=len(rows))
