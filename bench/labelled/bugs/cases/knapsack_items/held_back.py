import itertools

from program import Item, best_value, choose

ITEMS = [Item("a", 2, 3), Item("b", 3, 4), Item("c", 4, 8), Item("d", 5, 8), Item("e", 1, 1)]


def brute(capacity):
    best = 0
    for count in range(len(ITEMS) + 1):
        for bag in itertools.combinations(ITEMS, count):
            if sum(item.weight for item in bag) <= capacity:
                best = max(best, sum(item.value for item in bag))
    return best


def test_against_all_choices():
    for capacity in range(17):
        assert best_value(ITEMS, capacity) == brute(capacity)
        names = choose(ITEMS, capacity)
        assert sum(item.value for item in ITEMS if item.name in names) == brute(capacity)
