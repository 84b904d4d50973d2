from bottle import post, request


@post("/zoom")
def set_zoom():
    session = request.environ["beaker.session"]
    zoom = request.forms.get("zoom") or "1"
    session["zoom"] = max(1, min(int(zoom), 9))
    session.save()
    return {"ok": True}
