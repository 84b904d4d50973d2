from flask import Flask, jsonify, request

from .codec import decode

app = Flask(__name__)


@app.get("/resume")
def resume_session():
    token = request.args.get("token")
    if token is None:
        return jsonify(error="token"), 400
    data = decode(token)
    return jsonify(steps=len(data))
