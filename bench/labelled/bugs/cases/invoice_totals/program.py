"""Invoices in cents with discounts and tax."""


class Line:
    def __init__(self, text, price, quantity=0, tax_rate=20):
        self.text = text
        self.price = price
        self.quantity = quantity
        self.tax_rate = tax_rate

    @property
    def net(self):
        return self.price * self.quantity


class Invoice:
    def __init__(self, customer, discount=0):
        if not 0 <= discount <= 100:
            raise ValueError("discount is a percentage")
        self.customer = customer
        self.discount = discount
        self.lines = []

    def add(self, *args, **kwargs):
        self.lines.append(Line(*args, **kwargs))
        return self

    @property
    def net(self):
        gross = sum(line.net for line in self.lines)
        return gross - gross * self.discount // 100

    @property
    def tax(self):
        return sum(line.net * line.tax_rate * (100 - self.discount) // 10_000 for line in self.lines)

    @property
    def total(self):
        return self.net + self.tax

    def by_rate(self):
        rates = {}
        for line in self.lines:
            rates[line.tax_rate] = rates.get(line.tax_rate, 0) + line.net
        return rates
