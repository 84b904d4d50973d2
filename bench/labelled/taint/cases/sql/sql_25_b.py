import os
import sqlite3

state = {"tenant": "default"}
tenant = None


def configure():
    global tenant
    tenant = os.environ.get("HTTP_X_TENANT", "default")


def total(db):
    query = "SELECT count(*) FROM usage WHERE tenant = '%s'" % state["tenant"]
    return db.execute(query).fetchone()[0]


def main():
    configure()
    print("Content-Type: text/plain\r\n\r\n%d" % total(sqlite3.connect("usage.db")))


if __name__ == "__main__":
    main()
