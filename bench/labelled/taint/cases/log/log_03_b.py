import logging

from django.http import JsonResponse

logger = logging.getLogger(__name__)
ACTIONS = ("create", "update", "delete")


def audit_action(request):
    action = request.POST.get("action", "update")
    logger.info(f"action {action} by user {request.user.pk}")
    return JsonResponse({"done": True})
