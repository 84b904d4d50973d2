from program import find_by_id, is_balanced, links, strip_tags, tags

PAGE = '<div id="top"><a href="/x" class="y">X</a><br><p id="text">Hi</p></div>'


def test_tags():
    assert tags("<B>x</B>") == [("b", False, {}), ("b", True, {})]


def test_links():
    assert links(PAGE + '<a name="n">') == ["/x"]


def test_find_first():
    assert find_by_id(PAGE, "top") == "div"


def test_find_later():
    assert find_by_id(PAGE, "text") == "p"


def test_find_nothing():
    assert find_by_id(PAGE, "none") is None
    assert find_by_id("", "x") is None


def test_balanced():
    assert is_balanced(PAGE)
    assert not is_balanced("<p></div>")
    assert strip_tags(PAGE) == "X Hi"
