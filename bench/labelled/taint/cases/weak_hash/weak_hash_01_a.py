import hashlib
import os

from flask import Flask, jsonify, request

app = Flask(__name__)
ACCOUNTS = {}


@app.post("/register")
def register():
    password = request.form["password"].encode()
    salt = os.urandom(16)
    digest = hashlib.md5(salt + password).hexdigest()
    ACCOUNTS[request.form["user"]] = (salt, digest)
    return jsonify(created=True)
