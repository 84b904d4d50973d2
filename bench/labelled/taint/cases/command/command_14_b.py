import os

from django.http import JsonResponse


def scan_upload(request):
    upload = request.FILES["document"]
    try:
        name = request.POST["name"]
    except KeyError:
        name = upload.name
    name = name.strip().replace(" ", "_")
    code = os.system("cd /srv/incoming && clamscan " + name)
    return JsonResponse({"clean": code == 0})
