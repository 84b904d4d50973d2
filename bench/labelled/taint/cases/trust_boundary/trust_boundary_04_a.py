from django.http import JsonResponse

from .models import Membership


def set_tenant(request):
    tenant = request.POST.get("tenant", "")
    if not tenant:
        return JsonResponse({"error": "tenant"}, status=400)
    membership = Membership.objects.filter(user=request.user, tenant__slug=tenant).first()
    if membership is None:
        return JsonResponse({"error": "not yours"}, status=403)
    request.session["tenant"] = membership.tenant_id
    request.session.set_expiry(3600)
    return JsonResponse({"ok": True})
