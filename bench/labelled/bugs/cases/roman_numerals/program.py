"""Roman numerals, both ways."""

VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}

STEPS = [
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"),
    (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
    (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
]


def to_roman(number):
    if not 0 < number < 4000:
        raise ValueError(f"out of range: {number}")
    letters = []
    for value, text in STEPS:
        while number >= value:
            letters.append(text)
            number -= value
    return "".join(letters)


def from_roman(text):
    total = 0
    text = text.strip().upper()
    for position, letter in enumerate(text):
        if letter not in VALUES:
            raise ValueError(f"not a roman digit: {letter}")
        value = VALUES[letter]
        following = VALUES.get(text[position + 1]) if position + 1 < len(text) else None
        if following is not None and value <= following:
            total -= value
        else:
            total += value
    return total


def is_canonical(text):
    return to_roman(from_roman(text)) == text
