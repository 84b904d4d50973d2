import subprocess

from django.http import JsonResponse
from django.views.decorators.http import require_POST

FORMATS = {"zip": "zip", "tar": "tar", "tgz": "tar.gz"}


@require_POST
def archive_project(request, pk):
    kind = request.POST.get("format", "zip")
    suffix = FORMATS.get(kind, "zip")
    line = "git archive --format={} HEAD -o /var/archives/{}.{}".format(suffix, int(pk), suffix)
    done = subprocess.call(line, shell=True)
    return JsonResponse({"done": done == 0})
