import sqlite3

DATABASE = "sensors.db"


def latest(name):
    db = sqlite3.connect(DATABASE)
    query = "SELECT value FROM readings WHERE sensor = '" + name + "' ORDER BY at DESC"
    row = db.execute(query).fetchone()
    db.close()
    return row[0] if row else None
