import requests
from django.http import JsonResponse

from .models import Hook


def notify_hook(request, hook_id):
    hook = Hook.objects.get(pk=hook_id)
    payload = {"event": request.POST.get("event", "ping")}
    callback = "https://hooks.example.org/%d" % hook.pk
    answer = requests.post(callback, json=payload, timeout=5)
    return JsonResponse({"status": answer.status_code})
