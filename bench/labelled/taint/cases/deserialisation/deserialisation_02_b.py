import yaml
from flask import Flask, jsonify, request

app = Flask(__name__)


@app.post("/settings")
def load_settings():
    text = request.files["settings"].read().decode("utf-8")
    data = yaml.load(text, Loader=yaml.SafeLoader)
    if not isinstance(data, dict):
        return jsonify(error="a mapping was expected"), 400
    return jsonify(keys=len(data))
