"""Stock in a warehouse, with reservations."""


class OutOfStock(Exception):
    pass


class Inventory:
    def __init__(self):
        self.on_hand = {}
        self.reserved = {}

    def receive(self, sku, quantity):
        if quantity <= 0:
            raise ValueError("quantity must be positive")
        self.on_hand[sku] = self.on_hand.get(sku, 0) + quantity

    def available(self, sku):
        return self.on_hand.get(sku, 0) - self.reserved.get(sku, 0)

    def reserve(self, sku, quantity):
        if quantity > self.available(sku):
            raise OutOfStock(sku)
        self.reserved[sku] = self.reserved.get(sku, 0) + quantity

    def release(self, sku, quantity):
        held = self.reserved.get(sku, 0)
        if quantity > held:
            raise ValueError(f"only {held} of {sku} are reserved")
        self.reserved[sku] = held - quantity

    def ship(self, sku, quantity):
        """Reserved items leave the building."""
        self.release(sku, quantity)
        self.on_hand[sku] -= quantity

    def to_reorder(self, minimum):
        return sorted(sku for sku in self.on_hand if self.available(sku) < minimum)
