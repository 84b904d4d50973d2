import hashlib
import os

from flask import Flask, jsonify, request

app = Flask(__name__)
ACCOUNTS = {}


@app.post("/register")
def register():
    password = request.form["password"].encode()
    salt = os.urandom(16)
    digest = hashlib.pbkdf2_hmac("sha256", password, salt, 600_000).hex()
    ACCOUNTS[request.form["user"]] = (salt, digest)
    return jsonify(created=True)
