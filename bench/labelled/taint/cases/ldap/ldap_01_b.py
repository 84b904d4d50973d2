from flask import Flask, jsonify, request
from ldap3 import Connection, Server
from ldap3.utils.conv import escape_filter_chars

app = Flask(__name__)
connection = Connection(Server("ldaps://directory.internal"), auto_bind=True)


@app.get("/people")
def find_person():
    uid = request.args["uid"]
    query = f"(&(objectClass=person)(uid={escape_filter_chars(uid)}))"
    connection.search("ou=people,dc=example,dc=org", query, attributes=["cn"])
    return jsonify(found=len(connection.entries))
