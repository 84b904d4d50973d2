from program import choose, parse_accept


def test_plain_list():
    assert choose("text/html, text/plain", ["text/plain", "text/html"]) == "text/html"
    assert choose("*/*", ["x/y"]) == "x/y"


def test_quality_of_one_part_does_not_leak():
    assert parse_accept("a/a;q=0.3,b/b,c/c;q=0.7") == [("b/b", 1.0), ("c/c", 0.7), ("a/a", 0.3)]


def test_other_parameters():
    assert parse_accept("text/html;level=1") == [("text/html", 1.0)]
    assert parse_accept("") == []
