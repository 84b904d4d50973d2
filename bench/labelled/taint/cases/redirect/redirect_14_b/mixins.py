from django.http import HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme


class ReturnMixin:
    fallback = "/"

    def back(self, target):
        if url_has_allowed_host_and_scheme(target, allowed_hosts=None):
            return HttpResponseRedirect(target)
        return HttpResponseRedirect(self.fallback)
