import argparse
import sqlite3


def purge(db, table, days):
    db.execute(f"DELETE FROM {table} WHERE age > {days}")
    db.commit()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("days", type=int)
    parser.add_argument("--table", default="events", choices=["events", "audit"])
    options = parser.parse_args()
    purge(sqlite3.connect("events.db"), options.table, options.days)


if __name__ == "__main__":
    main()
