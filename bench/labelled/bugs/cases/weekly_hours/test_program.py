from program import Sheet, Shift, clock


def week(days, hours):
    sheet = Sheet()
    for day in range(days):
        sheet.add(Shift(day, clock("08:00"), clock("08:00") + hours * 60, pause=0))
    return sheet


def test_shift():
    assert Shift("mon", clock("09:00"), clock("17:30")).minutes == 480
    assert Shift("mon", clock("22:00"), clock("06:00"), 0).minutes == 480


def test_total():
    assert week(3, 8).total() == 24 * 60


def test_overtime():
    assert week(5, 9).overtime() == 300


def test_no_overtime():
    assert week(2, 8).overtime() == 0


def test_by_day():
    assert week(2, 1).by_day() == {0: 60, 1: 60}


def test_pay_with_overtime():
    assert week(5, 9).pay(10) == 400 + 75
