from django.http import JsonResponse

from .queries import run


def audit_trail(request, model):
    order = request.GET.get("order", "created")
    direction = "DESC" if request.GET.get("reverse") else "ASC"
    rows = run("audit", order=order, direction=direction)
    if not rows:
        return JsonResponse({"rows": []}, status=404)
    return JsonResponse({"rows": [row[0] for row in rows]})
