from django.http import JsonResponse
from django.views import View
from lxml import etree


class ConfigImport(View):
    loose = etree.XMLParser(resolve_entities=True, load_dtd=True)
    strict = etree.XMLParser(resolve_entities=False)

    def read(self, text):
        return etree.XML(text, parser=self.strict)

    def post(self, request):
        root = self.read(request.POST["xml"].encode())
        return JsonResponse({node.tag: node.text for node in root})
