"""Match brackets in source text."""

PAIRS = {")": "(", "]": "[", "}": "{"}
OPENING = set(PAIRS.values())


class Mismatch:
    def __init__(self, position, reason):
        self.position = position
        self.reason = reason

    def __eq__(self, other):
        return (self.position, self.reason) == (other.position, other.reason)

    def __repr__(self):
        return f"Mismatch({self.position}, {self.reason!r})"


def first_mismatch(text):
    """The first mistake of the brackets, or None; text in double quotes does not count."""
    stack = []
    quoted = False
    for position, letter in enumerate(text):
        if letter == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif letter in OPENING:
            stack.append((letter, position))
        elif letter in PAIRS:
            if stack[-1][0] != PAIRS[letter]:
                return Mismatch(position, "unexpected")
            stack.pop()
    if stack:
        return Mismatch(stack[-1][1], "not closed")
    return None


def depth(text):
    deepest = now = 0
    for letter in text:
        if letter in OPENING:
            now += 1
            deepest = max(deepest, now)
        elif letter in PAIRS:
            now -= 1
    return deepest
