import urllib.request

from django.http import JsonResponse
from django.views import View


class WeatherView(View):
    regions = ("north", "south")

    def address(self, region):
        return "https://%s.weather.example.org/today.json" % region

    def get(self, request):
        region = request.GET.get("region", "north")
        region = region.strip().lower()
        with urllib.request.urlopen(self.address(region)) as answer:
            return JsonResponse({"bytes": len(answer.read())})
