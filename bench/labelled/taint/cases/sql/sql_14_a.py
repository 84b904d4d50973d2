import hashlib
import sqlite3

from bottle import post, request


@post("/login")
def check_login():
    user = request.forms.get("user")
    secret = request.forms.get("secret", "")
    digest = hashlib.scrypt(secret.encode(), salt=b"pepper-of-the-shop", n=16384, r=8, p=1).hex()
    db = sqlite3.connect("shop.db")
    query = 'SELECT id FROM users WHERE user = "{u}" AND digest = "{d}"'.format(u=user, d=digest)
    row = db.execute(query).fetchone()
    return {"ok": row is not None}
