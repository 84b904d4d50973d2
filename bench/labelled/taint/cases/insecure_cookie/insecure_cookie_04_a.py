from django.contrib.auth.decorators import login_required
from django.http import JsonResponse

from .tokens import issue


@login_required
def enter(request):
    response = JsonResponse({"ok": True})
    token = issue(request.user)
    response.set_cookie("api_token", token, max_age=86400, secure=True, httponly=True)
    return response
