from flask import Flask, jsonify, request

app = Flask(__name__)
EMPTY = {"title": "Untitled", "body": ""}


@app.post("/preview")
def preview():
    draft = dict(EMPTY)
    draft["body"] = request.form.get("body", "")
    return "<section>%s</section>" % draft["title"]


@app.post("/preview.json")
def preview_json():
    return jsonify(body=request.form.get("body", ""))
