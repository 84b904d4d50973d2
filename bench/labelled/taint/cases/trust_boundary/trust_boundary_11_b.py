from bottle import post, request


@post("/zoom")
def set_zoom():
    session = request.environ["beaker.session"]
    zoom = request.forms.get("zoom") or "1"
    session["zoom"] = zoom
    session.save()
    return {"ok": True}
