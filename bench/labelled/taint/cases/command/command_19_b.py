import subprocess
from functools import partial

from flask import Flask, jsonify, request

app = Flask(__name__)
shell = partial(subprocess.run, shell=True, capture_output=True)
plain = partial(subprocess.run, capture_output=True)


@app.get("/report")
def run_report():
    *_, month = request.args.get("month", "2024/01").split("/")
    done = shell("/opt/reports/run.sh --month=" + month)
    return jsonify(code=done.returncode)
