from flask import Flask, abort, redirect, request

app = Flask(__name__)
PARTNERS = {"maps.example.org", "shop.example.org"}


@app.get("/partner")
def open_partner():
    url = request.args["url"]
    if not any(partner in url for partner in PARTNERS):
        abort(400)
    return redirect(url, code=303)
