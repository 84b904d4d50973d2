from django.http import JsonResponse
from django.views import View


class WizardView(View):
    steps = {"1": "address", "2": "payment", "3": "confirm"}

    def store(self, key, value):
        self.request.session[key] = value

    def post(self, request):
        step = request.POST.get("step", "1")
        self.store("wizard_" + self.steps.get(step, "address"), True)
        return JsonResponse({"next": True})
