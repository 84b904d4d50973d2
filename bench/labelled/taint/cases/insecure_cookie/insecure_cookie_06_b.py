from django.http import JsonResponse

from .tokens import issue


def remember(request):
    response = JsonResponse({"remembered": True})
    response.cookies["remember"] = issue(request.user)
    morsel = response.cookies["remember"]
    morsel["httponly"] = True
    morsel["samesite"] = "Strict"
    morsel["secure"] = True
    return response
