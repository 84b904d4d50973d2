import os
import sys

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def encrypt(data, key, vector):
    cipher = Cipher(algorithms.CAST5(key), modes.CBC(vector[:8]))
    encryptor = cipher.encryptor()
    return encryptor.update(data) + encryptor.finalize()


def main():
    key = bytes.fromhex(os.environ["BACKUP_KEY"])
    data = sys.stdin.buffer.read()
    data += b" " * (-len(data) % 16)
    vector = os.urandom(16)
    sys.stdout.buffer.write(vector + encrypt(data, key, vector))


if __name__ == "__main__":
    main()
