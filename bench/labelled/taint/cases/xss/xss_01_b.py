from flask import Flask, request

app = Flask(__name__)


@app.get("/greet")
def greet():
    name = request.args.get("name", "you")
    page = "<!doctype html><title>Hello</title>"
    return page + f"<h1>Hello, {name}!</h1>"
