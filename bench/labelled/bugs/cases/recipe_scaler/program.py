"""Scale recipes and write amounts nicely."""

from fractions import Fraction

MILLILITRES = {"ml": 1, "tsp": 5, "tbsp": 15, "cup": 240, "l": 1000}


class Ingredient:
    def __init__(self, name, amount, unit=""):
        self.name = name
        self.amount = Fraction(amount)
        self.unit = unit

    def times(self, factor):
        return Ingredient(self.name, self.amount * factor, self.unit)

    def __str__(self):
        return " ".join(part for part in (pretty(self.amount), self.unit, self.name) if part)


def pretty(amount):
    """3/2 is written as 1 1/2."""
    whole, rest = divmod(amount, 1)
    if not rest:
        return str(whole)
    return f"{whole} {rest}" if whole else str(rest)


def scale(ingredients, servings, wanted):
    if servings < 1 or wanted < 1:
        raise ValueError("servings must be positive")
    return [item.times(wanted // servings) for item in ingredients]


def to_millilitres(item):
    if item.unit not in MILLILITRES:
        raise ValueError(f"not a volume: {item.unit}")
    return item.amount * MILLILITRES[item.unit]


def shopping_list(recipes):
    needed = {}
    for ingredients in recipes:
        for item in ingredients:
            key = (item.name, item.unit)
            needed[key] = needed.get(key, 0) + item.amount
    return [str(Ingredient(name, amount, unit)) for (name, unit), amount in sorted(needed.items())]
