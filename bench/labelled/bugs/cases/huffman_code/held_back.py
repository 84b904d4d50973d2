import itertools

from program import build_tree, code_table, encode


def cost(counts):
    table = code_table(build_tree(counts))
    return sum(len(table[letter]) * count for letter, count in counts.items())


def best(counts):
    values, total = sorted(counts.values()), 0
    while len(values) > 1:
        merged = values[0] + values[1]
        total += merged
        values = sorted([*values[2:], merged])
    return total


def test_optimal():
    for numbers in itertools.product([1, 3, 8], repeat=4):
        counts = dict(zip("wxyz", numbers))
        assert cost(counts) == best(counts), counts


def test_prefix_free():
    codes = sorted(encode("the quick brown fox jumps")[1].values())
    assert all(not b.startswith(a) for a, b in zip(codes, codes[1:]))
