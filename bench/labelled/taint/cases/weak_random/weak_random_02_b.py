import random

from flask import Flask, jsonify

app = Flask(__name__)
SESSIONS = {}


@app.post("/session")
def start_session():
    generator = random.SystemRandom()
    session_id = "%032x" % generator.getrandbits(128)
    SESSIONS[session_id] = {}
    response = jsonify(started=True)
    response.set_cookie("sid", session_id, secure=True, httponly=True, samesite="Strict")
    return response
