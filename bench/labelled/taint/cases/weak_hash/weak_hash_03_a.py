from django.contrib.auth.hashers import make_password
from django.http import JsonResponse

from .models import Account


def set_password(request):
    account = Account.objects.get(pk=request.user.pk)
    raw = request.POST["password"]
    account.password = make_password(raw, hasher="argon2")
    account.save(update_fields=["password"])
    return JsonResponse({"changed": True})
