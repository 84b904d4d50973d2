from flask import Flask, Response, abort, request

from .backups import load

app = Flask(__name__)


@app.get("/backup")
def fetch_backup():
    tenant = request.headers.get("X-Tenant", "main")
    data = load(tenant)
    if data is None:
        abort(404)
    return Response(data, mimetype="application/gzip")
