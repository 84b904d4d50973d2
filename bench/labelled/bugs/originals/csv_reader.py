"""A small reader for comma separated values."""


class CsvError(ValueError):
    pass


def split_row(line, separator=","):
    """The fields of one line; quotes protect separators, doubled quotes are one quote."""
    fields = []
    start = 0
    while True:
        if line[start:start + 1] == '"':
            text, stop = _quoted(line, start)
        else:
            stop = line.find(separator, start)
            if stop < 0:
                stop = len(line)
            text = line[start:stop]
        fields.append(text)
        if stop >= len(line):
            return fields
        if line[stop] != separator:
            raise CsvError(f"unexpected text after quote at {stop}")
        start = stop + 1


def _quoted(line, start):
    letters = []
    position = start + 1
    while position < len(line):
        if line[position] == '"':
            if line[position + 1:position + 2] != '"':
                return "".join(letters), position + 1
            position += 1
        letters.append(line[position])
        position += 1
    raise CsvError("quote is never closed")


def read(text, separator=","):
    lines = [line for line in text.splitlines() if line]
    if not lines:
        return []
    header = split_row(lines[0], separator)
    return [dict(zip(header, split_row(line, separator))) for line in lines[1:]]
