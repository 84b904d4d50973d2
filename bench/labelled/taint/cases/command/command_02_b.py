import os
import shlex

from flask import Flask, jsonify, request

app = Flask(__name__)
UPLOADS = "/srv/uploads"


def build_command(name, width):
    quoted = shlex.quote(name)
    return "convert %s/%s -resize %d /tmp/out.png" % (UPLOADS, quoted, int(width))


@app.post("/thumbnail")
def make_thumbnail():
    width = request.form["width"]
    command = build_command("banner.jpg", width)
    status = os.system(command)
    return jsonify(ok=status == 0)
