"""A vending machine that gives change in as few coins as it can."""

COINS = [200, 100, 50, 20, 10, 5]


class SoldOut(Exception):
    pass


class NotEnough(Exception):
    pass


class Machine:
    def __init__(self):
        self.slots = {}
        self.inserted = 0
        self.takings = 0

    def stock(self, slot, price, count):
        if price % 5:
            raise ValueError("the price is a multiple of 5")
        self.slots[slot] = [price, count]

    def insert(self, coin):
        if coin not in COINS:
            return False
        self.inserted += coin
        return True

    def buy(self, slot):
        """The change as a list of coins."""
        price, count = self.slots[slot]
        if count == 0:
            raise SoldOut(slot)
        if self.inserted < price:
            raise NotEnough(price - self.inserted)
        self.slots[slot][1] -= 1
        self.takings += price
        left = self.inserted % price
        self.inserted = 0
        return change(left)

    def cancel(self):
        left, self.inserted = self.inserted, 0
        return change(left)


def change(amount):
    coins = []
    for coin in COINS:
        count, amount = divmod(amount, coin)
        coins += [coin] * count
    return coins
