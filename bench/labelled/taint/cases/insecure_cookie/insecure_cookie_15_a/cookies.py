DEFAULTS = {"httponly": True, "samesite": "Lax", "path": "/"}


def attach(response, name, value, **changes):
    options = {**DEFAULTS, **changes}
    response.set_cookie(name, value, **options)


def detach(response, name):
    response.del_cookie(name, path="/")
