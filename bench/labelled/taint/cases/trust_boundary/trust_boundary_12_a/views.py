from flask import Flask, jsonify, request

from .channels import set_channel

app = Flask(__name__)
app.config.from_envvar("SHOP_SETTINGS")


@app.post("/channel")
def choose_channel():
    channel = request.headers.get("X-Channel", "")
    if not channel:
        return jsonify(error="channel"), 400
    set_channel(channel)
    return jsonify(ok=True)
