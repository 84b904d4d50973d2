from bottle import post, request
from passlib.hash import argon2

USERS = {}


@post("/signup")
def signup():
    user = request.forms.get("user")
    password = request.forms.get("password")
    USERS[user] = argon2.hash(password)
    return {"users": len(USERS)}
