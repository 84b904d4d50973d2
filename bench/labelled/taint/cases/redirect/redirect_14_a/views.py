from django.views import View

from .mixins import ReturnMixin


class AcceptInvite(View, ReturnMixin):
    fallback = "/teams/"

    def accept(self, token):
        return len(token) == 40


def accept_invite(request):
    view = AcceptInvite()
    accepted = view.accept(request.POST.get("token", ""))
    return view.back(request.POST.get("next", "") if accepted else "")
