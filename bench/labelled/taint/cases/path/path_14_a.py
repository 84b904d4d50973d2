from bottle import HTTPError, request, response, route

ASSETS = "/srv/assets"


@route("/asset")
def serve_asset():
    name = request.query.name
    if not name:
        raise HTTPError(404)
    response.content_type = "application/octet-stream"
    with open("%s/%s" % (ASSETS, name), "rb") as handle:
        return handle.read()
