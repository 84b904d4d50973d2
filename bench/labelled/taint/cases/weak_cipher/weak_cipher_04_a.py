import os

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from django.conf import settings
from django.http import JsonResponse
from django.views import View


class VaultView(View):
    algorithm = algorithms.TripleDES
    block = 8

    def put(self, request):
        vector = os.urandom(self.block)
        cipher = Cipher(self.algorithm(settings.VAULT_KEY), modes.CFB(vector))
        encryptor = cipher.encryptor()
        sealed = vector + encryptor.update(request.body) + encryptor.finalize()
        return JsonResponse({"sealed": sealed.hex()})
