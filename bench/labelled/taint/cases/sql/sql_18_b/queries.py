from django.db import connection

ORDERS = ("created", "actor")


def run(table, order, direction):
    if order not in ORDERS:
        order = ORDERS[0]
    query = "SELECT id FROM {} ORDER BY {} {}".format(table, order, direction)
    with connection.cursor() as cursor:
        cursor.execute(query)
        return cursor.fetchall()
