import os

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from flask import Flask, current_app, jsonify, request

app = Flask(__name__)


@app.post("/card")
def store_card():
    number = request.form["number"].encode()
    key = current_app.config["CARD_KEY"]
    nonce = os.urandom(12)
    sealed = nonce + AESGCM(key).encrypt(nonce, number, None)
    return jsonify(stored=len(sealed))
