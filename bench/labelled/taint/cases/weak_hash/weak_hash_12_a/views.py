from flask import Flask, current_app, jsonify, request

from .signing import sign

app = Flask(__name__)


@app.post("/token")
def issue_token():
    account = int(request.form["account"])
    key = current_app.config["TOKEN_KEY"]
    token = f"{account}.{sign(account, key)}"
    return jsonify(token=token)
