import sqlite3


class Store:
    def __init__(self, path):
        self.connection = sqlite3.connect(path)

    def orders_of(self, customer):
        return self.rows(f"SELECT id, price FROM orders WHERE customer = '{customer}'")

    def rows(self, query):
        return self.connection.execute(query).fetchall()
