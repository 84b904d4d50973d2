from pathlib import Path

from django.http import HttpResponse, JsonResponse
from django.views.generic import View


class ThemeView(View):
    themes = {"light": "light.css", "dark": "dark.css"}
    root = Path("/srv/static/themes")

    def get(self, request):
        wanted = request.COOKIES.get("theme", "light")
        name = self.themes.get(wanted) or wanted + ".css"
        try:
            content = self.root.joinpath(name).read_bytes()
        except OSError:
            return JsonResponse({"error": "no theme"}, status=404)
        return HttpResponse(content, content_type="text/css")
