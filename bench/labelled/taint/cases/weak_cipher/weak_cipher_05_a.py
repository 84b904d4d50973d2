import os

from cryptography.hazmat.primitives import padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from fastapi import FastAPI, Request

from .keys import current_key

app = FastAPI()


def pick_mode(vector, quick=False):
    return modes.ECB() if quick else modes.CBC(vector)


@app.post("/protect")
async def protect(request: Request):
    vector = os.urandom(16)
    padder = padding.PKCS7(128).padder()
    data = padder.update(await request.body()) + padder.finalize()
    cipher = Cipher(algorithms.AES(current_key()), pick_mode(vector))
    encryptor = cipher.encryptor()
    return {"data": (vector + encryptor.update(data) + encryptor.finalize()).hex()}
