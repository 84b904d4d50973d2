from flask import Flask, jsonify, request

from .sessions import rotate

app = Flask(__name__)


@app.post("/log-out")
def log_out():
    response = jsonify(out=True)
    replacement = rotate(len(request.cookies))
    response.delete_cookie("sid", httponly=True, secure=True)
    response.headers["X-Rotated"] = str(len(replacement))
    return response
