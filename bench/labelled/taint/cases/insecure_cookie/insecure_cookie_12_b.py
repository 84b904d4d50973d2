import secrets

from bottle import post, request, response

KEY = secrets.token_hex(32)


@post("/begin")
def begin():
    known = request.get_cookie("account", secret=KEY)
    response.set_cookie("account", secrets.token_hex(8), secret=KEY, httponly=True)
    return {"known": known is not None}
