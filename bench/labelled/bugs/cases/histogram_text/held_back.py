import program
from program import bar_rows, chart, table


def test_bars_line_up():
    rows = bar_rows({"i": 3, "iii": 0, "ii": 1, "": 3}, 6)
    assert rows == ["  i | ######", "iii |", " ii | ##", "    | ######"]
    assert {row.index("|") for row in rows} == {4}


def test_chart_of_uneven():
    assert chart({"aa": 1, "b": 1}, 2) == "aa | ##\n b | ##"


def test_empty_cell_at_the_end():
    assert table([["a", ""], ["b", "c"]]) == "a\nb  c"


def test_rounding_and_default_width():
    assert program.scale(2, 3, 10) == 7
    assert program.bar_rows({"a": 1}) == ["a | " + "#" * 20]
    assert program.chart({"a": 1}, title="x").splitlines()[1] == "a | " + "#" * 20
    assert program.scale(5, -1, 10) == 0
