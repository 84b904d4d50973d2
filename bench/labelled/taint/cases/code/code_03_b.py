from django.http import JsonResponse
from django.views import View

OPERATORS = {"lt": lambda a, b: a < b, "gt": lambda a, b: a > b}


class ReportFilterView(View):
    rows = [{"amount": 10}, {"amount": 250}]

    def post(self, request):
        limit = float(request.POST["limit"])
        operator = request.POST["operator"]
        condition = OPERATORS.get(operator, OPERATORS["lt"])
        kept = [row for row in self.rows if condition(row["amount"], limit)]
        return JsonResponse({"rows": kept})
