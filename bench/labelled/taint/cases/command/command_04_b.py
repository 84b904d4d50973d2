import subprocess

from django.http import JsonResponse
from django.views import View


class DiskUsageView(View):
    base = "/srv/tenants"

    def measure(self, tenant):
        target = self.base + "/" + tenant
        return subprocess.getoutput("du -s " + target)

    def get(self, request, *args, **kwargs):
        tenant = request.GET["tenant"]
        return JsonResponse({"usage": self.measure(tenant).split()[:1]})
