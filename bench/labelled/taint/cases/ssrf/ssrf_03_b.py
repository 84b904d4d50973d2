import requests
from flask import Flask, jsonify, request

app = Flask(__name__)


@app.get("/mirror")
def check_mirror():
    url = request.args.get("url", "")
    if not url.startswith("https://mirror.example.org/"):
        return jsonify(error="other site"), 400
    answer = requests.head(url, timeout=3, allow_redirects=False)
    return jsonify(status=answer.status_code)
