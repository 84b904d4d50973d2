import xml.etree.ElementTree as ET

from django.http import JsonResponse


def price_of(request):
    sku = request.GET.get("sku", "A1")
    root = ET.parse("/srv/data/prices.xml").getroot()
    node = root.find("./item[@sku='%s']/price" % sku)
    if node is None:
        return JsonResponse({"error": "unknown"}, status=404)
    return JsonResponse({"price": node.text})
