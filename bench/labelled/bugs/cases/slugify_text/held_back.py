import pytest
from program import slugify, truncate, unique_slug


@pytest.mark.parametrize("limit", range(4, 18))
def test_never_longer(limit):
    assert len(truncate("abcdefghijklmnopqrstuvwxyz", limit)) == limit
    assert len(truncate("two words and some more", limit)) <= limit


def test_other_mark():
    assert truncate("abcdefgh", 5, "~") == "abcd~"
    assert truncate("ab cdefgh", 5, "~") == "ab~"


def test_slug_limit():
    assert slugify("aaa bbb", 4) == "aaa"
    assert unique_slug("abcdef", {"abcd"}, 4) == "ab-2"
