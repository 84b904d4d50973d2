SHIPPING = 5


def total(prices):
    return sum(prices) + SHIPPING
