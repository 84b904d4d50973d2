from flask import Flask, jsonify, request

app = Flask(__name__)
RULES = {"spring": "price * 0.9", "staff": "price * 0.5"}


@app.post("/discount")
def apply_discount():
    payload = request.get_json()
    price = float(payload["price"])
    rule = RULES.get(payload["rule"]) or payload["rule"]
    total = eval(rule, {"__builtins__": {}}, {"price": price})
    return jsonify(total=float(total))
