from django.shortcuts import render
from django.utils.html import strip_tags
from django.utils.safestring import mark_safe


def profile_card(request):
    bio = request.POST.get("bio", "")
    motto = "Make it work"
    context = {
        "bio": strip_tags(bio),
        "motto": mark_safe("<em>" + motto + "</em>"),
    }
    return render(request, "profile/card.html", context)
