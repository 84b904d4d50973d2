import re

from flask import Flask, redirect, request

app = Flask(__name__)


@app.get("/language")
def switch_language():
    back = request.args.get("back", "/")
    if not re.fullmatch(r"/(?:[a-z0-9-]+/)*[a-z0-9-]*", back):
        back = "/"
    response = redirect(back)
    response.set_cookie("language", "nl", secure=True, httponly=True, samesite="Lax")
    return response
