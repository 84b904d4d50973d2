from django.contrib.auth import logout
from django.shortcuts import redirect
from django.views import View


class LogoutView(View):
    default = "/goodbye/"

    def destination(self):
        return self.request.GET.get("to") or self.default

    def get(self, request):
        logout(request)
        return redirect(self.destination())
