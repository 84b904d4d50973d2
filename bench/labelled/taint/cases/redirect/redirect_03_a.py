from urllib.parse import urlsplit

from flask import Flask, abort, redirect, request

app = Flask(__name__)
PARTNERS = {"maps.example.org", "shop.example.org"}


@app.get("/partner")
def open_partner():
    url = request.args["url"]
    parts = urlsplit(url)
    if parts.scheme != "https" or parts.netloc not in PARTNERS:
        abort(400)
    return redirect(url, code=303)
