import sqlite3

ALLOWED = {"state", "queue"}


def select(filters, page):
    conditions = [f"{key} = ?" for key in filters]
    values = list(filters.values())
    where = " AND ".join(["1 = 1", *conditions])
    with sqlite3.connect("jobs.db") as db:
        return db.execute(f"SELECT id FROM jobs WHERE {where} LIMIT 20 OFFSET {20 * page}", values).fetchall()
