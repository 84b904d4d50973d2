from django.db.models.expressions import RawSQL
from django.http import JsonResponse

from .models import Order


def order_export(request):
    currency = request.GET.get("currency", "EUR")
    orders = Order.objects.all()
    rate = RawSQL("SELECT rate FROM rates WHERE code = %s", (currency,))
    rows = orders.annotate(rate=rate).values_list("pk", "rate")
    return JsonResponse({"rows": [list(row) for row in rows[:100]]})
