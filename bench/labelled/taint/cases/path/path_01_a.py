import os

from flask import Flask, request, send_from_directory

app = Flask(__name__)
FOLDER = "/srv/reports"


@app.get("/download")
def download():
    name = request.args["name"]
    folder = os.path.abspath(FOLDER)
    return send_from_directory(folder, name, as_attachment=True)
