from urllib.parse import quote

import requests
from bottle import request, route


@route("/expand")
def expand():
    link = request.query.get("link", "")
    if not link:
        return {"status": 0}
    answer = requests.get("https://links.example.org/expand?link=" + quote(link, ""), timeout=3)
    return {"status": answer.status_code}
