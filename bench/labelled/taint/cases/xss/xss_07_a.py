from django.http import HttpResponse


def hello(request):
    nickname = request.GET.get("nickname", "guest").strip()
    if not nickname:
        nickname = "guest"
    nickname = nickname[:80]
    lines = ["<html><body>", "<p>Hi ", nickname, "</p>", "</body></html>"]
    return HttpResponse("".join(lines))
