from django.db import connection
from django.http import JsonResponse


def bulk_close(request):
    numbers = []
    for raw in request.POST.getlist("ticket"):
        if raw.isdecimal():
            numbers.append(raw)
    if not numbers:
        return JsonResponse({"closed": 0})
    with connection.cursor() as cursor:
        cursor.execute("UPDATE tickets SET open = 0 WHERE id IN (%s)" % ",".join(numbers))
        return JsonResponse({"closed": cursor.rowcount})
