import secrets

from django.core.mail import send_mail
from django.http import JsonResponse


def send_code(request):
    code = str(secrets.randbelow(10**6)).zfill(6)
    request.session["login_code"] = code
    send_mail("Your code", code, "no-reply@example.org", [request.user.email])
    return JsonResponse({"sent": True})
