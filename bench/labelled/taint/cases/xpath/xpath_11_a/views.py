from django.http import JsonResponse

from .courses import find_course


def course_detail(request):
    code = request.GET.get("code", "")
    year = request.GET.get("year", "2024")
    course = find_course(code, year=year)
    if course is None:
        return JsonResponse({}, status=404)
    return JsonResponse({"title": course.findtext("title")})
