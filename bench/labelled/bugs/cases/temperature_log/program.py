"""Readings of thermometers."""


class Reading:
    def __init__(self, sensor, hour, degrees):
        self.sensor = sensor
        self.hour = hour
        self.degrees = degrees


def parse(text):
    """Lines such as 'kitchen 13 21.5'; comments begin with #."""
    readings = []
    for line in text.splitlines():
        line = line.split("#", 1)[0].strip()
        if not line:
            continue
        sensor, hour, degrees = line.split()
        readings.append(Reading(sensor, int(hour), float(degrees)))
    return readings


def by_sensor(readings):
    groups = {}
    for reading in readings:
        groups.setdefault(reading.sensor, []).append(reading)
    return groups


def average(readings):
    if not readings:
        return None
    return sum(reading.degrees for reading in readings) // len(readings)


def averages(readings):
    return {sensor: average(group) for sensor, group in by_sensor(readings).items()}


def hottest_hour(readings):
    best = max(readings, key=lambda reading: (reading.degrees, -reading.hour))
    return best.hour


def jumps(readings, limit):
    """Hours at which the temperature changed by more than the limit."""
    ordered = sorted(readings, key=lambda reading: reading.hour)
    return [b.hour for a, b in zip(ordered, ordered[1:]) if abs(b.degrees - a.degrees) > limit]
