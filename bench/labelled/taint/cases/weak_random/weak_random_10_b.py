import secrets

from bottle import post, request, response


@post("/remember")
def remember_me():
    user = request.get_cookie("user")
    token = secrets.token_hex(20)
    response.set_cookie("remember", token, secure=True, httponly=True, samesite="strict")
    return {"known": bool(user)}
