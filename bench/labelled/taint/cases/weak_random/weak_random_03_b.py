import random

from flask import Flask, jsonify

app = Flask(__name__)
TIPS = ["Drink water", "Take a walk", "Call a friend"]
CODES = {}


@app.get("/tip")
def daily_tip():
    code = random.randint(100000, 999999)
    CODES[code] = "voucher"
    return jsonify(tip=TIPS[0], voucher_code=code)
