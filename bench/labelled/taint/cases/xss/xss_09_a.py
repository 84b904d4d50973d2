from django.http import HttpResponse
from django.template import Context, Template
from django.views import View


class SearchView(View):
    template = Template("{% autoescape off %}<p>Results for {{ term }}</p>{% endautoescape %}")

    def context(self):
        return {"term": self.request.GET.get("q", "")}

    def get(self, request, *args, **kwargs):
        page = self.template.render(Context(self.context()))
        return HttpResponse(page)
