import ruamel.yaml
from django.http import JsonResponse


def load_fixture(request):
    text = request.body.decode()
    reader = ruamel.yaml.YAML(typ="safe")
    try:
        data = reader.load(text)
    except ruamel.yaml.YAMLError:
        return JsonResponse({"error": "syntax"}, status=400)
    return JsonResponse({"keys": len(data)})
