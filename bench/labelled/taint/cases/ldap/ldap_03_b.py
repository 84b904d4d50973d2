from django.http import JsonResponse
from django.views import View
from ldap3 import ALL_ATTRIBUTES, Connection, Server


class DirectoryView(View):
    base = "ou=rooms,dc=example,dc=org"
    fields = {"floor": "roomFloor", "name": "cn"}

    def get(self, request):
        field = request.GET.get("field", "name")
        attribute = self.fields.get(field, "cn")
        with Connection(Server("ldap.internal"), auto_bind=True) as connection:
            connection.search(self.base, "(" + attribute + "=*)", attributes=ALL_ATTRIBUTES)
            return JsonResponse({"rooms": len(connection.entries)})
