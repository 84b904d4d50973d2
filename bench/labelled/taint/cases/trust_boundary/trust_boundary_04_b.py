from django.http import JsonResponse


def set_tenant(request):
    tenant = request.POST.get("tenant", "")
    if not tenant:
        return JsonResponse({"error": "tenant"}, status=400)
    request.session["tenant"] = tenant
    request.session.set_expiry(3600)
    return JsonResponse({"ok": True})
