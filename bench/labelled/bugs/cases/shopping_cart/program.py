"""A shopping cart with vouchers; all amounts in cents."""


class UnknownVoucher(Exception):
    pass


VOUCHERS = {
    "TENOFF": ("percent", 10),
    "FIVER": ("amount", 500),
    "SHIPFREE": ("shipping", 0),
}


class Cart:
    def __init__(self, shipping=490, free_from=5000):
        self.items = {}
        self.shipping = shipping
        self.free_from = free_from
        self.voucher = None

    def add(self, name, price, quantity=1):
        if name in self.items:
            quantity += self.items[name][1]
        self.items[name] = (price, quantity)

    def use(self, code):
        if code not in VOUCHERS:
            raise UnknownVoucher(code)
        self.voucher = code

    def subtotal(self):
        return sum(price * quantity for price, quantity in self.items.values())

    def discount(self):
        kind, value = VOUCHERS.get(self.voucher, (None, 0))
        if kind == "percent":
            return self.subtotal() * value // 100
        if kind == "amount":
            return max(value, self.subtotal())
        return 0

    def shipping_cost(self):
        if not self.items or self.voucher == "SHIPFREE":
            return 0
        return 0 if self.subtotal() >= self.free_from else self.shipping

    def total(self):
        return self.subtotal() - self.discount() + self.shipping_cost()
