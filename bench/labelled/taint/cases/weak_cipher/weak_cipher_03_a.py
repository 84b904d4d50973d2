import os

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms
from django.conf import settings
from django.http import JsonResponse


def seal_message(request):
    text = request.POST["text"].encode()
    nonce = os.urandom(16)
    cipher = Cipher(algorithms.ChaCha20(settings.MESSAGE_KEY, nonce), mode=None)
    encryptor = cipher.encryptor()
    sealed = encryptor.update(text) + encryptor.finalize()
    return JsonResponse({"sealed": sealed.hex(), "nonce": nonce.hex()})
