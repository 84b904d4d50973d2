from Crypto.Cipher import ARC2
from Crypto.Random import get_random_bytes
from fastapi import FastAPI

from .keys import current_key, secrets_text

app = FastAPI()
SUITE = (ARC2, "MODE_CFB", 8)


@app.get("/secrets/export")
def export_secrets():
    module, mode, size = SUITE
    vector = get_random_bytes(size)
    cipher = module.new(current_key(), getattr(module, mode), vector)
    return {"data": (vector + cipher.encrypt(secrets_text())).hex()}
