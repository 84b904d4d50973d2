from flask import Flask, request

from .navigation import send_to

app = Flask(__name__)


@app.post("/payment/done")
def finish_payment():
    form = request.form
    reference = form.get("reference", "")
    if not reference.isdigit():
        return {"error": "reference"}, 400
    return send_to(form.get("return_url"), fallback="/orders")
