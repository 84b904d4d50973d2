import requests
from bottle import request, route


@route("/expand")
def expand():
    link = request.query.get("link", "")
    if not link:
        return {"status": 0}
    answer = requests.head(link, allow_redirects=True, timeout=3)
    return {"status": answer.status_code}
