from django.http import JsonResponse
from django.views import View

from .models import Invoice


class InvoiceView(View):
    table = "billing_invoice"

    def build(self, status):
        return "SELECT * FROM %s WHERE status = %%s" % self.table, [status]

    def get(self, request):
        query, params = self.build(request.GET.get("status", "open"))
        invoices = Invoice.objects.raw(query, params)
        return JsonResponse({"ids": [invoice.pk for invoice in invoices]})
