from flask import Flask, jsonify, request

from .client import Client

app = Flask(__name__)


@app.post("/probe")
def probe():
    settings = request.get_json()
    client = Client(host=settings["host"], token="none")
    client.timeout = 2
    return jsonify(up=client.alive())
