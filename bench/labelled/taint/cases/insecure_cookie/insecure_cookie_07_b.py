import secrets

from fastapi import FastAPI, Form, Response

app = FastAPI()


def set_session(response, value, secure=False):
    response.set_cookie("session", value, secure=secure, httponly=True, samesite="lax")


@app.post("/login")
def login(response: Response, user: str = Form(...)):
    set_session(response, secrets.token_urlsafe(24), True)
    return {"user": len(user)}
