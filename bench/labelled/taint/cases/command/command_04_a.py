import subprocess

from django.http import JsonResponse
from django.views import View


class DiskUsageView(View):
    base = "/srv/tenants"

    def measure(self, tenant):
        target = self.base + "/" + tenant
        return subprocess.check_output(["du", "-s", target], text=True)

    def get(self, request, *args, **kwargs):
        tenant = request.GET["tenant"]
        if not tenant.isalnum():
            return JsonResponse({"error": "bad tenant"}, status=400)
        return JsonResponse({"usage": self.measure(tenant).split()[:1]})
