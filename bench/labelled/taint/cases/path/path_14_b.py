from bottle import HTTPError, request, response, route, static_file

ASSETS = "/srv/assets"


@route("/asset")
def serve_asset():
    name = request.query.name
    if not name:
        raise HTTPError(404)
    response.content_type = "application/octet-stream"
    return static_file(name, root=ASSETS, mimetype="application/octet-stream")
