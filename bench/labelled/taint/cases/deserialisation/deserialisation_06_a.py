import jsonpickle
from django.core.signing import BadSignature
from django.http import JsonResponse


def apply_preferences(request):
    text = request.POST.get("preferences", "{}")
    try:
        preferences = jsonpickle.decode(text)
    except (ValueError, BadSignature):
        preferences = {}
    return JsonResponse({"count": len(preferences)})
