from bottle import post, request
from passlib.hash import md5_crypt

USERS = {}


@post("/signup")
def signup():
    user = request.forms.get("user")
    password = request.forms.get("password")
    USERS[user] = md5_crypt.hash(password)
    return {"users": len(USERS)}
