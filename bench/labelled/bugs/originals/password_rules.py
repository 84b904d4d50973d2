"""Rules for new passwords."""


class Rule:
    def __init__(self, message, holds):
        self.message = message
        self.holds = holds


COMMON = {"password", "letmein123", "qwertz12345"}


def has_digit(text):
    return any(letter.isdigit() for letter in text)


def has_upper(text):
    return any(letter.isupper() for letter in text)


def is_uncommon(text):
    return text.lower() not in COMMON


def longest_repeat(text):
    best = run = 0
    previous = None
    for letter in text:
        run = run + 1 if letter == previous else 1
        previous = letter
        best = max(best, run)
    return best


def rules(minimum=10):
    return [
        Rule(f"at least {minimum} characters", lambda text: len(text) >= minimum),
        Rule("at least one digit", has_digit),
        Rule("at least one capital letter", has_upper),
        Rule("not a common password", is_uncommon),
        Rule("no letter four times in a row", lambda text: longest_repeat(text) < 4),
    ]


def problems(text, minimum=10):
    return [rule.message for rule in rules(minimum) if not rule.holds(text)]


def is_valid(text, minimum=10):
    return not problems(text, minimum)
