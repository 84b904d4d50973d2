from django.http import HttpResponseRedirect


class ReturnMixin:
    fallback = "/"

    def back(self, target):
        if target:
            return HttpResponseRedirect(target)
        return HttpResponseRedirect(self.fallback)
