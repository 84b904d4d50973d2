from django.core.signing import BadSignature, loads
from django.http import JsonResponse


def apply_preferences(request):
    text = request.POST.get("preferences", "{}")
    try:
        preferences = loads(text, max_age=3600)
    except (ValueError, BadSignature):
        preferences = {}
    return JsonResponse({"count": len(preferences)})
