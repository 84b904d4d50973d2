import pytest
from program import Sheet, Shift


@pytest.mark.parametrize("hours", [0, 1, 39, 40])
def test_pay_without_overtime(hours):
    sheet = Sheet()
    for number in range(hours):
        sheet.add(Shift(number, 60, 120, 0))
    assert sheet.overtime() == 0
    assert sheet.pay(20) == hours * 20


def test_part_time():
    sheet = Sheet(weekly=120)
    sheet.add(Shift(1, 0, 180, 0))
    assert sheet.overtime() == 60
    assert sheet.pay(60, bonus=2) == 240
