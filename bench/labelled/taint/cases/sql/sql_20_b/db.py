import sqlite3

ALLOWED = {"state", "queue"}


def select(filters, page):
    chosen = {key: value for key, value in filters.items() if key in ALLOWED}
    conditions = [f"{key} = ?" for key in chosen]
    values = list(chosen.values())
    where = " AND ".join(["1 = 1", *conditions])
    with sqlite3.connect("jobs.db") as db:
        return db.execute(f"SELECT id FROM jobs WHERE {where} LIMIT 20 OFFSET {20 * page}", values).fetchall()
