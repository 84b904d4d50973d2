import logging

from django.http import JsonResponse
from django.views import View


class PaymentView(View):
    log = logging.getLogger("payments")

    def note(self, reference):
        self.log.error("payment refused: {}".format(reference))

    def post(self, request):
        reference = request.POST.get("reference", "")
        self.note(reference if reference.isalnum() else "unknown")
        return JsonResponse({"refused": True}, status=402)
