from pathlib import Path

from flask import Flask, abort, jsonify, request

app = Flask(__name__)
PAGES = Path("/srv/wiki/pages")


@app.get("/wiki")
def read_page():
    target = PAGES / request.args.get("page", "index.md")
    target = target.resolve()
    if not target.is_relative_to(PAGES):
        abort(404)
    text = target.read_text()
    return jsonify(words=len(text.split()), text=text)
