"""How far words are from one another."""


def distance(first, second):
    """The least number of letters to insert, delete or replace."""
    previous = list(range(len(second) + 1))
    for i, a in enumerate(first, start=1):
        row = [i]
        for j, b in enumerate(second, start=1):
            cost = 0 if a == b else 1
            row.append(min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + cost))
        previous = row
    return previous[-1]


def common_prefix(first, second):
    length = 0
    for a, b in zip(first, second):
        if a != b:
            break
        length += 1
    return first[:length]


def is_prefix_match(typed, candidate):
    return candidate.lower().startswith(typed.lower())


def suggestions(typed, vocabulary, limit=2):
    """Words that begin as typed, then near ones; nearest first, equal ones by name."""
    starting = sorted(word for word in vocabulary if is_prefix_match(word, typed))
    near = [word for word in vocabulary if word not in starting and distance(typed, word) <= limit]
    return starting + sorted(near, key=lambda word: (distance(typed, word), word))
