from django.http import HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme


def continue_to(request):
    target = request.GET.get("next", "/")
    target = target.strip()
    if not url_has_allowed_host_and_scheme(target, allowed_hosts={request.get_host()}, require_https=True):
        target = "/"
    request.session["visited"] = True
    return HttpResponseRedirect(target)
