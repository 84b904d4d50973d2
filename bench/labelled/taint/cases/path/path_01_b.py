import os

from flask import Flask, request, send_file

app = Flask(__name__)
FOLDER = "/srv/reports"


@app.get("/download")
def download():
    name = request.args["name"]
    path = os.path.join(FOLDER, name)
    return send_file(path, as_attachment=True)
