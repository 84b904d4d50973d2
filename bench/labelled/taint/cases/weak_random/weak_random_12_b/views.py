from flask import Flask, jsonify, session

from .tokens import TokenFactory

app = Flask(__name__)
app.config.from_envvar("SHOP_SETTINGS")
factory = TokenFactory(length=20)


@app.post("/checkout")
def checkout():
    session["payment_token"] = factory.create()
    return jsonify(ready=True)
