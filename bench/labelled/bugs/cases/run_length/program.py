"""Run-length encoding of text."""


class BadEncoding(ValueError):
    pass


def runs(text):
    """Pairs of a letter and how often it follows itself."""
    result = []
    current = None
    length = 0
    for letter in text:
        if letter == current:
            length += 1
        else:
            if current is not None:
                result.append((current, length))
            current = letter
    if current is not None:
        result.append((current, length))
    return result


def encode(text):
    if any(letter.isdigit() for letter in text):
        raise BadEncoding("digits cannot be encoded")
    return "".join(letter if length == 1 else f"{length}{letter}" for letter, length in runs(text))


def decode(code):
    out = []
    count = ""
    for letter in code:
        if letter.isdigit():
            count += letter
        else:
            out.append(letter * int(count or 1))
            count = ""
    if count:
        raise BadEncoding("number without a letter")
    return "".join(out)


def ratio(text):
    if not text:
        return 1.0
    return len(encode(text)) / len(text)
