import itertools

from program import apply, diff


def test_every_short_pair():
    texts = [list(t) for n in range(4) for t in itertools.product("ab", repeat=n)]
    for old in texts:
        for new in texts:
            changes = diff(old, new)
            assert apply(changes) == new
            assert [line for mark, line in changes if mark != "+"] == old


def test_insert_in_front():
    assert diff(["m"], ["k", "l", "m", "n"]) == [("+", "k"), ("+", "l"), (" ", "m"), ("+", "n")]


def test_no_more_changes_than_needed():
    for old, new, kept in [("abcd", "acbd", 3), ("xaby", "ab", 2), ("abcabba", "cbabac", 4), ("zab", "abz", 2)]:
        changes = diff(list(old), list(new))
        assert sum(mark == " " for mark, _ in changes) == kept
    assert diff(["a", "b"], ["b", "a"]) == [("-", "a"), (" ", "b"), ("+", "a")]
