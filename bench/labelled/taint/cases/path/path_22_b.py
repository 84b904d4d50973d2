import os
import uuid

from django.conf import settings
from django.http import JsonResponse
from PIL import Image


def rotate_image(request):
    name = request.POST.get("image", "")
    angle = int(request.POST.get("angle", 90))
    path = os.path.join(settings.MEDIA_ROOT, "images", f"{uuid.uuid5(uuid.NAMESPACE_URL, name)}.png")
    with Image.open(path) as image:
        image.rotate(angle).save("/tmp/rotated.png")
    return JsonResponse({"angle": angle})
