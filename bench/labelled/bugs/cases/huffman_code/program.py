"""Huffman codes."""

import heapq
from collections import Counter


def build_tree(counts):
    """Nested pairs; a leaf is a letter."""
    if not counts:
        raise ValueError("nothing to encode")
    heap = [(count, number, letter) for number, (letter, count) in enumerate(sorted(counts.items()))]
    heapq.heapify(heap)
    number = len(heap)
    while len(heap) > 1:
        left_count, _, left = heapq.heappop(heap)
        right_count, _, right = heapq.heappop(heap)
        heapq.heappush(heap, (left_count + left_count, number, (left, right)))
        number += 1
    return heap[0][2]


def code_table(tree, prefix=""):
    if isinstance(tree, str):
        return {tree: prefix or "0"}
    left, right = tree
    table = code_table(left, prefix + "0")
    table.update(code_table(right, prefix + "1"))
    return table


def encode(text):
    """The bits and the table."""
    table = code_table(build_tree(Counter(text)))
    return "".join(table[letter] for letter in text), table


def decode(bits, table):
    letters = {code: letter for letter, code in table.items()}
    out = []
    current = ""
    for bit in bits:
        current += bit
        if current in letters:
            out.append(letters[current])
            current = ""
    if current:
        raise ValueError("bits left over")
    return "".join(out)
