from django.http import HttpResponse
from django.utils.html import escape


def hello(request):
    nickname = request.GET.get("nickname", "guest").strip()
    if not nickname:
        nickname = "guest"
    nickname = escape(nickname[:80])
    lines = ["<html><body>", "<p>Hi ", nickname, "</p>", "</body></html>"]
    return HttpResponse("".join(lines))
