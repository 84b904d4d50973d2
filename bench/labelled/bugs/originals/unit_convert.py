"""Convert between units of the same dimension."""

FACTORS = {
    "length": {"mm": 0.001, "cm": 0.01, "m": 1.0, "km": 1000.0, "in": 0.0254, "ft": 0.3048, "mi": 1609.344},
    "mass": {"g": 0.001, "kg": 1.0, "t": 1000.0, "lb": 0.45359237},
    "time": {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0},
}


class UnitError(ValueError):
    pass


def dimension_of(unit):
    for dimension, units in FACTORS.items():
        if unit in units:
            return dimension
    raise UnitError(f"unknown unit: {unit}")


def ratio(dimension, source, target):
    units = FACTORS[dimension]
    return units[source] / units[target]


def convert(value, source, target):
    if {source, target} <= {"C", "F"}:
        return temperature(value, source, target)
    dimension = dimension_of(source)
    if dimension != dimension_of(target):
        raise UnitError(f"{source} and {target} do not measure the same")
    return value * ratio(dimension, source, target)


def temperature(value, source, target):
    if source == target:
        return value
    if source == "C":
        return value * 9 / 5 + 32
    return (value - 32) * 5 / 9


def parse(text):
    """'12 km' as a pair of a number and a unit."""
    number, _, unit = text.strip().partition(" ")
    return float(number), unit.strip()
