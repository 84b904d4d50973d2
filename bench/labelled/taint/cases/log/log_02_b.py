from flask import Flask, jsonify, request

app = Flask(__name__)


@app.get("/search")
def track_search():
    term = request.args.get("q", "").strip()
    page = request.args.get("page", "1")
    page = int(page)
    app.logger.info("search for %s on page %d", term, page)
    return jsonify(results=[], page=page)
