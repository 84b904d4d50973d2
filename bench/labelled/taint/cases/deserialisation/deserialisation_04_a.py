import pandas
from django.http import JsonResponse


def import_model(request):
    upload = request.FILES["table"]
    if upload.name.endswith(".pkl"):
        table = pandas.read_pickle(upload)
    else:
        return JsonResponse({"error": "format"}, status=400)
    return JsonResponse({"rows": len(table)})
