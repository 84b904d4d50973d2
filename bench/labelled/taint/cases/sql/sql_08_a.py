import sqlite3

from fastapi import FastAPI, Query

app = FastAPI()


def connect():
    return sqlite3.connect("events.db")


@app.get("/events")
def get_events(since: str = Query("2024-01-01"), limit: int = Query(10)):
    query = f"SELECT id FROM events WHERE day >= ? LIMIT {limit}"
    with connect() as db:
        cursor = db.execute(query, (since,))
        return {"events": [row[0] for row in cursor]}
