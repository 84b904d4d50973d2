import hashlib

from flask import Flask, current_app, jsonify, request

app = Flask(__name__)
ALGORITHMS = {"old": "sha1", "new": "sha256"}


@app.get("/sign")
def sign_link():
    file_id = int(request.args["file"])
    key = current_app.config["LINK_KEY"]
    digest = hashlib.new(ALGORITHMS["old"])
    digest.update(f"{key}:{file_id}:{key}".encode())
    return jsonify(signature=digest.hexdigest())
