"""Sizes of files for people."""

UNITS = ["B", "KB", "MB", "GB", "TB"]


def human(size):
    """1536 is '1.5 KB'."""
    if size < 0:
        raise ValueError("negative size")
    value = size
    for unit in UNITS:
        if value < 1024 or unit == UNITS[-1]:
            break
        value //= 1024
    if unit == "B":
        return f"{value} B"
    return f"{value:.1f} {unit}"


def parse(text):
    """'1.5 KB' is 1536."""
    text = text.strip().upper()
    for power in range(len(UNITS) - 1, -1, -1):
        unit = UNITS[power]
        if text.endswith(unit):
            return int(float(text[:-len(unit)]) * 1024 ** power)
    return int(text)


def largest(sizes, count):
    ranked = sorted(sizes.items(), key=lambda item: (-item[1], item[0]))
    return [name for name, _ in ranked[:count]]


def report(sizes):
    total = sum(sizes.values())
    lines = [f"{name}: {human(size)}" for name, size in sorted(sizes.items())]
    return lines + [f"total: {human(total)}"]
