import random
import string

from fastapi import FastAPI

from .accounts import change

app = FastAPI()
SYMBOLS = list(string.ascii_letters + string.digits)


@app.post("/accounts/{number}/reset")
def temporary_password(number: int):
    picked = random.sample(SYMBOLS, k=14)
    password = "".join(picked)
    change(number, password)
    return {"password": password}
