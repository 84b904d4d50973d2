import subprocess

from django import forms
from django.http import JsonResponse


class DumpForm(forms.Form):
    database = forms.ChoiceField(choices=[("shop", "Shop"), ("blog", "Blog")])


def import_dump(request):
    form = DumpForm(request.POST)
    if not form.is_valid():
        return JsonResponse(form.errors, status=400)
    database = form.cleaned_data["database"]
    code = subprocess.call("mysql %s < /srv/dumps/latest.sql" % database, shell=True)
    return JsonResponse({"code": code})
