import html

from flask import Flask, make_response, request

app = Flask(__name__)


@app.get("/link")
def link_out():
    url = request.args.get("url", "/")
    if not url.startswith(("https://", "http://")):
        url = "/"
    quoted = html.escape(url, quote=True)
    response = make_response(f'<a href="{quoted}">continue</a>')
    response.headers["X-Frame-Options"] = "DENY"
    return response
