from django.http import JsonResponse

from .library import Library

library = Library("/srv/mail")


def preview_template(request):
    key = request.GET["template"]
    language = request.GET.get("language", "en")
    body = library.read(language, key)
    return JsonResponse({"length": len(body)})
