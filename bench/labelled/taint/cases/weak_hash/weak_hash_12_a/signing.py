import hashlib

SEPARATOR = b"|"
HASH = hashlib.sha3_512


def sign(account, key):
    message = SEPARATOR.join([key, str(account).encode(), key])
    return HASH(message).hexdigest()


def verify(account, key, signature):
    return sign(account, key) == signature
