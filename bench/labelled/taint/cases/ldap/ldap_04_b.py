import ldap
from django.contrib.auth.decorators import login_required
from django.http import JsonResponse
from ldap.dn import escape_dn_chars


@login_required
def change_phone(request):
    name = request.POST["name"]
    digits = "".join(c for c in request.POST["phone"] if c.isdigit())
    dn = "cn={},ou=people,dc=example,dc=org".format(escape_dn_chars(name))
    directory = ldap.initialize("ldaps://directory.internal")
    directory.modify_s(dn, [(ldap.MOD_REPLACE, "telephoneNumber", digits.encode())])
    return JsonResponse({"changed": True})
