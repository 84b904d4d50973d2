"""Count words and letters."""

import re

WORD = re.compile(r"[A-Za-z]+(?:'[A-Za-z]+)?")
STOP_WORDS = {"the", "a", "an", "and", "of", "to", "in"}


def words(text):
    return WORD.findall(text)


def frequencies(text, skip=STOP_WORDS):
    counts = {}
    for word in words(text):
        lowered = word.lower()
        if lowered in skip:
            continue
        counts[lowered] = counts.get(lowered, 0) + 1
    return counts


def most_common(text, count=3):
    ranked = sorted(frequencies(text).items(), key=lambda item: (-item[1], item[0]))
    return ranked[:count]


def longest(text):
    found = words(text)
    return max(found, key=len) if found else ""


def sentences(text):
    return [part.strip() for part in re.split(r"[.!?]+", text) if part.strip()]


def average_sentence(text):
    parts = sentences(text)
    if not parts:
        return 0.0
    return sum(len(words(part)) for part in parts) / len(parts)
