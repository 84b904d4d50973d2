from flask import Flask, jsonify, request

app = Flask(__name__)


@app.get("/calculate")
def calculate():
    expression = request.args.get("expression", "0")
    try:
        value = eval(expression)
    except (SyntaxError, ValueError):
        return jsonify(error="cannot read that"), 400
    return jsonify(value=repr(value))
