import subprocess

from flask import Blueprint, jsonify, request

charts = Blueprint("charts", __name__)


def run(*parts, **options):
    return subprocess.run(list(parts), check=False, **options)


@charts.route("/chart")
def render_chart():
    title = request.args["title"]
    done = run("gnuplot", "-e", "set terminal png", "/srv/plots/" + str(len(title)) + ".gp", "--", title, timeout=20)
    return jsonify(code=done.returncode)
