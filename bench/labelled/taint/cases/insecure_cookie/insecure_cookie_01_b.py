import secrets

from flask import Flask, jsonify, make_response

app = Flask(__name__)


@app.post("/sign-in")
def sign_in():
    response = make_response(jsonify(ok=True))
    token = secrets.token_urlsafe(32)
    response.set_cookie("session", token, httponly=True, samesite="Lax", secure=True)
    return response
