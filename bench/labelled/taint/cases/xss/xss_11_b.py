from django.http import HttpResponse
from django.utils.html import json_script


def chart_page(request):
    labels = request.GET.getlist("label")
    if not labels:
        labels = ["none"]
    data = {"labels": labels, "kind": "bar"}
    block = json_script(data, "chart-data")
    return HttpResponse("<html><body>" + block + "<div id='chart'></div></body></html>")
