import os

from flask import Flask, jsonify, request
from werkzeug.utils import secure_filename

app = Flask(__name__)


@app.post("/avatar")
def save_avatar():
    upload = request.files["avatar"]
    name = secure_filename(upload.filename)
    if not name.endswith((".png", ".jpg")):
        return jsonify(error="images only"), 400
    upload.save(os.path.join("/srv/avatars", name))
    return jsonify(saved=True)
