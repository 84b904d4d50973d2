import random

from bottle import post, request, response


@post("/remember")
def remember_me():
    user = request.get_cookie("user")
    token = hex(random.getrandbits(160))[2:]
    response.set_cookie("remember", token, secure=True, httponly=True, samesite="strict")
    return {"known": bool(user)}
