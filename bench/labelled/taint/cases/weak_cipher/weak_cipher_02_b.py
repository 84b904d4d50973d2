from Crypto.Cipher import AES
from Crypto.Util.Padding import pad
from flask import Flask, current_app, jsonify, request

app = Flask(__name__)


@app.post("/note")
def encrypt_note():
    note = request.get_data()
    key = current_app.config["NOTE_KEY"]
    cipher = AES.new(key, AES.MODE_ECB)
    return jsonify(note=cipher.encrypt(pad(note, 16)).hex())
