from django.shortcuts import render
from django.utils.safestring import mark_safe


def profile_card(request):
    bio = request.POST.get("bio", "")
    motto = "Make it work"
    context = {
        "bio": mark_safe("<em>" + bio + "</em>"),
        "motto": motto,
    }
    return render(request, "profile/card.html", context)
