import hashlib
import secrets

from django.http import JsonResponse
from django.views import View


class ResetView(View):
    hasher = hashlib.sha256
    token_hasher = hashlib.sha1

    def post(self, request):
        token = secrets.token_urlsafe(32)
        stored = type(self).token_hasher(token.encode()).hexdigest()
        request.user.profile.store_reset(stored)
        return JsonResponse({"sent": True})
