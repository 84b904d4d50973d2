import io
from contextlib import redirect_stdout

from django.contrib.auth.decorators import login_required
from django.http import JsonResponse

SNIPPETS = {"count": "print(len(range(10)))", "sum": "print(sum(range(10)))"}


@login_required
def run_snippet(request):
    name = request.GET.get("snippet", "count")
    source = SNIPPETS[name] if name in SNIPPETS else SNIPPETS["count"]
    buffer = io.StringIO()
    with redirect_stdout(buffer):
        exec(compile(source, "<snippet>", "exec"), {})
    return JsonResponse({"name": len(name), "lines": buffer.getvalue().count("\n")})
