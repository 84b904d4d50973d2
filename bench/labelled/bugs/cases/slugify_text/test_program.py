from program import initials, slugify, truncate, unique_slug


def test_slug():
    assert slugify("Hello, World!") == "hello-world"
    assert slugify("Crème Brûlée") == "creme-brulee"


def test_unique():
    assert unique_slug("A b", {"a-b", "a-b-2"}) == "a-b-3"
    assert unique_slug("A b", set()) == "a-b"


def test_short_text():
    assert truncate("short", 5) == "short"


def test_cut_at_a_word():
    assert truncate("one two three", 10) == "one two..."


def test_cut_in_a_word():
    assert truncate("incomprehensible", 10) == "incompr..."


def test_initials():
    assert initials("ada king lovelace") == "AKL"
