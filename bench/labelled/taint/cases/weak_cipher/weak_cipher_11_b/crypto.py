from Crypto.Cipher import AES
from Crypto.Util.Padding import pad

MODE = AES.MODE_CBC


class Box:
    def __init__(self, key):
        self.key = key

    def seal(self, data):
        cipher = AES.new(self.key, MODE)
        return getattr(cipher, "iv", b"") + cipher.encrypt(pad(data, AES.block_size))
