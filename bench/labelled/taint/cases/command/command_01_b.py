import subprocess

from flask import Flask, jsonify, request

app = Flask(__name__)


@app.route("/tools/ping")
def ping_host():
    host = request.args.get("host", "127.0.0.1")
    result = subprocess.run(["ping", "-c", "1", "--", host], capture_output=True, text=True)
    return jsonify(code=result.returncode, lines=len(result.stdout.splitlines()))
