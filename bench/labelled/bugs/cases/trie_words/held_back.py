from program import Trie


def test_all_words():
    words = ["ant", "bee", "beetle", "bat", "cat"]
    assert Trie(words).completions("") == sorted(words)


def test_exact_word_is_its_own_completion():
    trie = Trie(["bee", "beetle"])
    assert trie.completions("bee") == ["bee", "beetle"]
    assert trie.completions("beetle") == ["beetle"]


def test_empty():
    assert Trie().completions("") == []
    assert "" not in Trie()


def test_three_branches():
    assert Trie(["xa", "xb", "xc"]).completions("x") == ["xa", "xb", "xc"]
