from program import Headers, choose, parse_accept


def test_headers():
    headers = Headers([("Content-Type", "a"), ("X", "1"), ("x", "2")])
    assert headers.get("content-type") == "a"
    assert headers.get_all("X") == ["1", "2"]
    assert headers.get("none", "d") == "d"


def test_qualities():
    assert parse_accept("a/b;q=0.2, c/d; q=0.9") == [("c/d", 0.9), ("a/b", 0.2)]


def test_without_quality():
    assert parse_accept("a/b;q=0.5, c/d") == [("c/d", 1.0), ("a/b", 0.5)]


def test_choose():
    assert choose("text/*;q=0.5, image/png;q=0.8", ["text/html", "image/png"]) == "image/png"
    assert choose("a/b;q=0", ["a/b"]) is None


def test_choose_any():
    assert choose("*/*;q=0.1", ["x/y"]) == "x/y"
