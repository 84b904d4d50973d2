from program import Trie


def test_contains():
    trie = Trie(["car", "cart", "dog"])
    assert "car" in trie
    assert "ca" not in trie
    assert "cow" not in trie


def test_size_counts_once():
    trie = Trie(["a", "b", "a"])
    assert trie.size == 2


def test_completions_missing():
    assert Trie(["tea"]).completions("x") == []


def test_completions():
    trie = Trie(["tea", "ten", "to", "inn"])
    assert trie.completions("te") == ["tea", "ten"]


def test_completions_single():
    assert Trie(["tea"]).completions("t") == ["tea"]
