"""Bar charts and tables out of characters."""


def scale(value, top, width):
    if top <= 0:
        return 0
    return round(value * width / top)


def bar_rows(data, width=20):
    """One row per entry: the label to the right, then the bar."""
    if not data:
        return []
    room = max(len(label) for label in data)
    top = max(data.values())
    rows = []
    for label, value in data.items():
        row = f"{label:>{room}} | {'#' * scale(value, top, width)}"
        rows.append(row.strip())
    return rows


def chart(data, width=20, title=None):
    rows = bar_rows(data, width)
    if title is not None:
        rows.insert(0, title.center(width).rstrip())
    return "\n".join(rows)


def table(rows):
    """Columns as wide as their widest cell, two blanks between them."""
    if not rows:
        return ""
    widths = [max(len(str(cell)) for cell in column) for column in zip(*rows)]
    lines = []
    for row in rows:
        cells = [str(cell).ljust(size) for cell, size in zip(row, widths)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
