import logging

from flask import Flask, jsonify, request

app = Flask(__name__)
log = logging.getLogger("auth")


@app.post("/login")
def record_login():
    user = request.form.get("user", "")
    log.warning("failed login for " + user.replace("\r", " ").replace("\n", " "))
    return jsonify(ok=False), 401
