from bottle import post, request, response
from Crypto.Cipher import DES3
from Crypto.Random import get_random_bytes

from .keys import file_key


@post("/lock")
def lock_file():
    data = request.body.read()
    module = DES3
    vector = get_random_bytes(module.block_size)
    cipher = module.new(file_key(module.block_size), module.MODE_CFB, iv=vector)
    response.content_type = "application/octet-stream"
    return vector + cipher.encrypt(data)
