import subprocess
from functools import wraps

from flask import Flask, abort, jsonify, request

app = Flask(__name__)
TABLES = {"orders", "customers"}


def known_table(view):
    @wraps(view)
    def inner(*args, **kwargs):
        table = request.values.get("table", "")
        if table not in TABLES:
            abort(400)
        return view(table, *args, **kwargs)

    return inner


@app.route("/export")
@known_table
def export_table(table):
    subprocess.Popen("pg_dump -t " + table + " shop > /backup/shop.sql", shell=True)
    return jsonify(started=True)
