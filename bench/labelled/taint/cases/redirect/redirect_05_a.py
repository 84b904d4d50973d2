from django.contrib.auth import logout
from django.shortcuts import redirect
from django.views import View


class LogoutView(View):
    default = "/goodbye/"

    def destination(self):
        return self.default if self.request.GET.get("to") else "/"

    def get(self, request):
        logout(request)
        return redirect(self.destination())
