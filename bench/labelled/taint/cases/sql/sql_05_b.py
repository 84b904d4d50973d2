from django.db import connection
from django.http import JsonResponse


def search_books(request):
    words = request.GET.get("q", "").split()
    clauses = ["title LIKE '%%" + word + "%%'" for word in words]
    where = " AND ".join(clauses) or "1 = 1"
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM books WHERE " + where, [])
        ids = [row[0] for row in cursor.fetchall()]
    return JsonResponse({"ids": ids})
