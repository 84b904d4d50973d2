from flask import Flask, request

from .markup import box

app = Flask(__name__)


@app.route("/notice")
def render_notice():
    text = request.args.get("text", "All systems normal")
    level = request.args.get("level", "info")
    return box(text, level)
