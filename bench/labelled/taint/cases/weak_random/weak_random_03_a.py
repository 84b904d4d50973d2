import random

from flask import Flask, jsonify

app = Flask(__name__)
TIPS = ["Drink water", "Take a walk", "Call a friend"]
CODES = {}


@app.get("/tip")
def daily_tip():
    number = random.randint(0, len(TIPS) - 1)
    CODES.clear()
    return jsonify(tip=TIPS[number], voucher_code=None)
