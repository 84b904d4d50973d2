from flask import Flask, jsonify, request
from werkzeug.utils import safe_join

app = Flask(__name__)
BOOKS = "/srv/books"


def locate(name):
    return safe_join(BOOKS, name)


@app.get("/chapter")
def read_chapter():
    location = locate(request.args.get("chapter", "one.txt"))
    if location is None:
        return jsonify(error="chapter"), 404
    with open(location, encoding="utf-8") as handle:
        return jsonify(text=handle.read())
