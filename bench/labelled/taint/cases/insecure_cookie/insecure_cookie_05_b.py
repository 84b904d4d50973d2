from django.http import JsonResponse
from django.views import View

from .tokens import issue


class TokenView(View):
    cookie_options = {"httponly": True, "samesite": "Lax"}

    def attach(self, response, token):
        response.set_signed_cookie("token", token, **self.cookie_options)
        return response

    def post(self, request):
        return self.attach(JsonResponse({"ok": True}), issue(request.user))
