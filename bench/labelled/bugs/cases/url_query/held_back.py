from program import parse_query, with_parameter


def test_bare_names_everywhere():
    assert parse_query("a&&b") == {"a": [""], "b": [""]}
    assert parse_query("one") == {"one": [""]}
    assert parse_query("a%20b") == {"a b": [""]}
    assert parse_query("x=&=y") == {"x": [""], "": ["y"]}


def test_with_bare():
    assert with_parameter("http://h/?flag", "n", 1) == "http://h/?flag=&n=1"


def test_nothing():
    assert parse_query("") == {}
    assert parse_query("?") == {}
