from django.http import HttpResponse
from django.views.decorators.http import require_GET

LINKS = {"docs": "https://docs.example.org/", "blog": "https://blog.example.org/"}


@require_GET
def short_link(request):
    key = request.GET.get("key", "docs")
    response = HttpResponse(status=302)
    response["Location"] = LINKS.get(key, key)
    response["Cache-Control"] = "no-store"
    return response
