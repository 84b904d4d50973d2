import base64
import json
import pickle
import zlib


def encode(data):
    return base64.b64encode(zlib.compress(json.dumps(data).encode())).decode()


def decode(token):
    raw = zlib.decompress(base64.b64decode(token))
    return pickle.loads(raw)
