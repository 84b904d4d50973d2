"""Orders of a small shop, kept in memory and written to a file."""


class Store:
    def __init__(self, path):
        self.path = path
        self.orders = {}

    def add(self, name, amount):
        self.orders[name] = self.orders.get(name, 0) + amount
        return self.orders[name]

    def total(self):
        return sum(self.orders.values())
