from django.http import HttpResponse
from django.utils.html import format_html


def render_tag(request):
    tag = request.GET.get("tag", "misc")
    count = int(request.GET.get("count", 0))
    markup = format_html(f"<span>{tag}</span> ({{}})", count)
    return HttpResponse(markup)


def health(request):
    return HttpResponse("ok", content_type="text/plain")
