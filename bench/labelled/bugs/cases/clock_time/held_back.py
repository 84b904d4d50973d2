import pytest
from program import Clock


@pytest.mark.parametrize(("start", "end", "minutes"), [("12:00", "11:59", 1439), ("00:00", "00:00", 0), ("23:59", "00:00", 1), ("06:30", "06:29", 1439), ("01:00", "23:00", 1320)])
def test_until(start, end, minutes):
    assert Clock.parse(start).until(Clock.parse(end)) == minutes
    assert Clock.parse(start).plus(minutes) == Clock.parse(end)
