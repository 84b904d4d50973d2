from flask import Flask, jsonify, request

from .directory import Directory

app = Flask(__name__)
directory = Directory("ldaps://directory.internal")


@app.route("/whois")
def who_is():
    badge = request.args.get("badge", "0")
    entries = directory.by_badge(badge)
    return jsonify(entries=len(entries))
