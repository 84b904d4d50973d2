from Crypto.Cipher import AES
from flask import Flask, current_app, jsonify, request

app = Flask(__name__)


@app.post("/note")
def encrypt_note():
    note = request.get_data()
    key = current_app.config["NOTE_KEY"]
    cipher = AES.new(key, AES.MODE_EAX)
    sealed, tag = cipher.encrypt_and_digest(note)
    return jsonify(note=(cipher.nonce + tag + sealed).hex())
