import os
import uuid

from django.http import JsonResponse


def store_attachment(request):
    attachment = request.FILES["attachment"]
    folder = request.POST["folder"]
    target = "/srv/attachments/%s/%s" % (len(folder), uuid.uuid4())
    os.makedirs(os.path.dirname(target), exist_ok=True)
    return JsonResponse({"size": attachment.size})
