import xml.etree.ElementTree as ET

from django.http import JsonResponse


def price_of(request):
    sku = request.GET.get("sku", "A1")
    root = ET.parse("/srv/data/prices.xml").getroot()
    node = next((item.find("price") for item in root.iter("item") if item.get("sku") == sku), None)
    if node is None:
        return JsonResponse({"error": "unknown"}, status=404)
    return JsonResponse({"price": node.text})
