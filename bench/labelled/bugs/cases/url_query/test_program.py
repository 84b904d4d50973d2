from program import build_query, parse_query, split_url, with_parameter


def test_parse():
    assert parse_query("?a=1&b=two+words&a=3") == {"a": ["1", "3"], "b": ["two words"]}


def test_bare_name():
    assert parse_query("debug&x=1") == {"debug": [""], "x": ["1"]}


def test_value_with_equals():
    assert parse_query("f=a=b") == {"f": ["a=b"]}


def test_build():
    assert build_query({"q": "a b", "n": [1, 2]}) == "q=a%20b&n=1&n=2"


def test_split():
    assert split_url("HTTP://Example.com/a/b?x=1#top") == ("http", "example.com", "/a/b", "x=1")


def test_with_parameter():
    assert with_parameter("http://h/p?a=1", "a", "2") == "http://h/p?a=2"
