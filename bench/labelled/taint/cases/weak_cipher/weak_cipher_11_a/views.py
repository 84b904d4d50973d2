from django.conf import settings
from django.http import JsonResponse

from .crypto import Box


def store_document(request):
    box = Box(settings.DOCUMENT_KEY)
    sealed = box.seal(request.body)
    if len(sealed) > 1_000_000:
        return JsonResponse({"error": "size"}, status=413)
    return JsonResponse({"sealed": sealed.hex()})
