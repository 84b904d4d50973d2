import secrets
import string

from flask import Flask, jsonify, request

from .mail import send_reset

app = Flask(__name__)
LETTERS = string.ascii_letters + string.digits


@app.post("/forgot")
def forgot_password():
    address = request.form["address"]
    token = "".join(secrets.choice(LETTERS) for _ in range(32))
    send_reset(address, token)
    return jsonify(sent=True)
