from flask import Flask, jsonify, request
from lxml import etree

app = Flask(__name__)


@app.post("/login")
def login():
    users = etree.parse("/srv/data/users.xml")
    user = request.form["user"] if request.form["user"].isalnum() else ""
    pin = str(int(request.form["pin"]))
    matches = users.xpath(f"/users/user[name='{user}' and pin='{pin}']")
    return jsonify(ok=bool(matches))
