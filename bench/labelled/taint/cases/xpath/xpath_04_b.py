from django.http import JsonResponse
from django.views import View
from lxml import etree


class StationView(View):
    document = etree.parse("/srv/data/stations.xml")

    def select(self, field, value):
        query = f"//station[{'code' if field == 'code' else 'name'}=$value]"
        return self.document.xpath(query, value=value)

    def get(self, request):
        nodes = self.select(request.GET.get("field", "name"), request.GET.get("value", ""))
        return JsonResponse({"count": len(nodes)})
