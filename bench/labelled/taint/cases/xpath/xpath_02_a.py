import html

from flask import Flask, jsonify, request
from lxml import etree

app = Flask(__name__)


@app.post("/login")
def login():
    users = etree.parse("/srv/data/users.xml")
    user = html.escape(request.form["user"], quote=False)
    pin = html.escape(request.form["pin"], quote=False)
    matches = users.xpath(f"/users/user[name='{user}' and pin='{pin}']")
    return jsonify(ok=bool(matches))
