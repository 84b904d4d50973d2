from program import bar_rows, chart, scale, table


def test_scale():
    assert scale(5, 10, 20) == 10
    assert scale(5, 0, 20) == 0


def test_same_length_labels():
    assert bar_rows({"a": 1, "b": 2}, 4) == ["a | ##", "b | ####"]


def test_labels_to_the_right():
    assert bar_rows({"x": 2, "long": 1}, 4) == ["   x | ####", "long | ##"]


def test_no_blanks_at_the_end():
    assert bar_rows({"a": 0, "b": 1}, 2) == ["a |", "b | ##"]


def test_table():
    assert table([["id", "n"], [1, "bolt"], [22, "nut"]]) == "id  n\n1   bolt\n22  nut"


def test_empty():
    assert bar_rows({}) == []
    assert table([]) == ""
    assert chart({"a": 1}, 5, "T") == "  T\na | #####"
