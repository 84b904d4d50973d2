import pandas
from django.http import JsonResponse


def import_model(request):
    upload = request.FILES["table"]
    if upload.name.endswith(".csv"):
        table = pandas.read_csv(upload)
    else:
        return JsonResponse({"error": "format"}, status=400)
    return JsonResponse({"rows": len(table)})
