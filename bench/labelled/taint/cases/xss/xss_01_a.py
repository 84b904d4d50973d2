from flask import Flask, request
from markupsafe import escape

app = Flask(__name__)


@app.get("/greet")
def greet():
    name = request.args.get("name", "you")
    page = "<!doctype html><title>Hello</title>"
    return page + f"<h1>Hello, {escape(name)}!</h1>"
