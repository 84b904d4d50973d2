import os

from django.http import FileResponse, Http404

LOGS = "/var/log/app"


def show_log(request):
    name = request.GET.get("file", "app.log")
    path = os.path.normpath(LOGS + "/" + name)
    if not os.path.isfile(path):
        raise Http404
    handle = open(path, "rb")
    return FileResponse(handle, content_type="text/plain")
