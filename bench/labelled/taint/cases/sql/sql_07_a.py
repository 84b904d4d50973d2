from django.http import JsonResponse

from .models import Customer


def customer_report(request):
    region = request.POST.get("region", "north")
    customers = Customer.objects.filter(active=True)
    customers = customers.extra(where=["region = '" + region + "'"])
    data = {"total": customers.count(), "ids": list(customers.values_list("pk", flat=True)[:50])}
    return JsonResponse(data)
