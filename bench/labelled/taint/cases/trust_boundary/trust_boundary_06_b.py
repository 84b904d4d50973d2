from django.http import JsonResponse
from django.views.decorators.http import require_GET

CURRENCIES = {"eur": "EUR", "usd": "USD"}


@require_GET
def pick_currency(request):
    wanted = request.GET.get("currency", "eur")
    data = {"currency": CURRENCIES.get(wanted, "EUR"), "rate": 1}
    request.session.setdefault("currency", data["currency"])
    return JsonResponse({"ok": True})
