from django.http import JsonResponse

from .formula import Formula


def compute_bonus(request, employee_id):
    text = request.POST.get("formula", "salary * 0.1")
    formula = Formula(text)
    salary = 1000 + int(employee_id)
    if salary <= 0:
        return JsonResponse({"bonus": 0})
    return JsonResponse({"bonus": formula.apply(salary=salary)})
