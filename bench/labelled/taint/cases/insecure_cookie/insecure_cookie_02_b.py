import secrets

from flask import Flask, jsonify

app = Flask(__name__)
COOKIE = {"httponly": True, "samesite": "Strict", "max_age": 3600}


@app.post("/renew")
def renew():
    response = jsonify(renewed=True)
    options = dict(COOKIE, secure=True)
    response.set_cookie("auth", secrets.token_hex(16), **options)
    return response
