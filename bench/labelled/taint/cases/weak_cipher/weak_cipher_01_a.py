import os

from Crypto.Cipher import DES
from Crypto.Util.Padding import pad
from flask import Flask, current_app, jsonify, request

app = Flask(__name__)


@app.post("/card")
def store_card():
    number = request.form["number"].encode()
    key = current_app.config["CARD_KEY"]
    cipher = DES.new(key, DES.MODE_CBC, os.urandom(8))
    sealed = cipher.iv + cipher.encrypt(pad(number, 8))
    return jsonify(stored=len(sealed))
