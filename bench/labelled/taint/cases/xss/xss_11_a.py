import json

from django.http import HttpResponse


def chart_page(request):
    labels = request.GET.getlist("label")
    if not labels:
        labels = ["none"]
    data = {"labels": labels, "kind": "bar"}
    block = "<script>var data = " + json.dumps(data) + ";</script>"
    return HttpResponse("<html><body>" + block + "<div id='chart'></div></body></html>")
