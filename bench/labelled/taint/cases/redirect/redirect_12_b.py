from bottle import redirect, request, route

HOME = "https://www.example.org"


@route("/go")
def go():
    path = request.query.get("path", "")
    redirect(HOME + path)


@route("/where")
def where():
    return {"home": HOME}
