from django.http import HttpResponseRedirect


def continue_to(request):
    target = request.GET.get("next", "/")
    target = target.strip()
    if target.lower().startswith("javascript:"):
        target = "/"
    request.session["visited"] = True
    return HttpResponseRedirect(target)
