"""Prices of a small shop, in cents."""


def discounted(price, percent):
    return price - price * percent // 100
