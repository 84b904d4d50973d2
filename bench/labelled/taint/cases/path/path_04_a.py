import os

from flask import Flask, jsonify, request

app = Flask(__name__)
EXPORTS = "/srv/exports"


@app.delete("/exports")
def delete_export():
    name = request.values.get("name", "")
    path = os.path.realpath(os.path.join(EXPORTS, name))
    if not path.startswith(EXPORTS):
        return jsonify(error="unknown"), 404
    os.remove(path)
    return jsonify(deleted=True)
