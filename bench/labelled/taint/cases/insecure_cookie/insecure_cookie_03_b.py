from flask import Flask, jsonify, request

from .sessions import rotate

app = Flask(__name__)


@app.post("/log-out")
def log_out():
    response = jsonify(out=True)
    replacement = rotate(len(request.cookies))
    response.set_cookie("sid", replacement, httponly=True, samesite="Lax")
    response.headers["X-Rotated"] = str(len(replacement))
    return response
