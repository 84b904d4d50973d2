from django.http import HttpResponse

from .widgets import Stars


def review_page(request):
    title = request.POST.get("title", "")
    score = request.POST.get("score", "0")
    widget = Stars(score)
    if not title:
        return HttpResponse(status=204)
    return HttpResponse(widget.html())
