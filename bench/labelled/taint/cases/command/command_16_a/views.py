from flask import Flask, jsonify, request

from .jobs import pack

app = Flask(__name__)


@app.post("/compress")
def compress():
    folder = request.get_json()["folder"]
    level = request.get_json().get("level", 6)
    size = pack(folder, int(level))
    return jsonify(size=size)
