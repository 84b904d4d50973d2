from flask import Flask, jsonify, request

from . import trail

app = Flask(__name__)


@app.post("/vote")
def vote():
    choice = request.form.get("choice", "none")
    weight = int(request.form.get("weight", 1))
    trail.record("vote", choice=choice, weight=weight)
    return jsonify(counted=True)
