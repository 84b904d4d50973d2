from django.http import JsonResponse

from .journal import Journal

journal = Journal("contact")


def contact(request):
    subject = request.POST.get("subject", "")
    if not subject:
        return JsonResponse({"error": "subject"}, status=400)
    journal.add(subject)
    return JsonResponse({"sent": True})
