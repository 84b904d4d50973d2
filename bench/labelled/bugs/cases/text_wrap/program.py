"""Lay out text in lines of a given width."""


def wrap(text, width):
    """Lines of at most this width; words that are longer stand alone."""
    if width < 1:
        raise ValueError("width must be positive")
    lines = []
    current = ""
    for word in text.split():
        if not current:
            current = word
        elif len(current) + 1 + len(word) < width:
            current += " " + word
        else:
            lines.append(current)
            current = word
    if current:
        lines.append(current)
    return lines


def justify(line, width):
    """Spread the blanks so that the line has this width; the left gaps get the odd ones."""
    words = line.split()
    if len(words) < 2:
        return line.ljust(width)
    blanks = width - sum(len(word) for word in words)
    each, extra = divmod(blanks, len(words) - 1)
    result = words[0]
    for index, word in enumerate(words[1:]):
        result += " " * (each + (1 if index < extra else 0)) + word
    return result


def fill(text, width, indent=""):
    return "\n".join(indent + line for line in wrap(text, width - len(indent)))
