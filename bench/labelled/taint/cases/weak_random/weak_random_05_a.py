import uuid

from django.http import JsonResponse
from django.views import View

from .models import ApiKey


class ApiKeyView(View):
    prefix = "key_"

    def generate(self):
        return self.prefix + uuid.uuid4().hex

    def post(self, request):
        key = ApiKey.objects.create(owner=request.user, value=self.generate())
        return JsonResponse({"key": key.value})
