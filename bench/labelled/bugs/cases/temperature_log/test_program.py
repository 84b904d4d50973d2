from program import average, averages, hottest_hour, jumps, parse

TEXT = """
kitchen 1 20.0  # cold
kitchen 2 22
attic 1 30
"""


def test_parse():
    readings = parse(TEXT)
    assert [(r.sensor, r.hour, r.degrees) for r in readings] == [("kitchen", 1, 20.0), ("kitchen", 2, 22.0), ("attic", 1, 30.0)]


def test_averages():
    assert averages(parse(TEXT)) == {"kitchen": 21, "attic": 30}
    assert average([]) is None


def test_average_between():
    assert average(parse("a 1 20\na 2 21")) == 20.5


def test_hottest():
    assert hottest_hour(parse(TEXT)) == 1


def test_jumps():
    assert jumps(parse("a 2 10\na 1 1\na 3 11"), 5) == [2]
