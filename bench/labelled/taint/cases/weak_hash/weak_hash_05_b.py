import hashlib
import hmac

from fastapi import FastAPI, Form, HTTPException

from .users import find

app = FastAPI()


def digest(text, algorithm="sha3_256"):
    return hashlib.new(algorithm, text.encode()).hexdigest()


@app.post("/login")
def login(user: str = Form(...), code: str = Form(...)):
    account = find(user)
    if not hmac.compare_digest(account.code_digest, digest(account.salt + code)):
        raise HTTPException(401)
    return {"ok": True}
