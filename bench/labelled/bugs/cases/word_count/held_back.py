from program import frequencies, most_common


def test_all_spellings():
    assert frequencies("Fish FISH fish fIsh") == {"fish": 4}
    assert frequencies("Dog dog DOG bird Bird") == {"dog": 3, "bird": 2}


def test_most_common_mixed():
    assert most_common("B a A b A c", 2) == [("b", 2), ("c", 1)]
    assert frequencies("A a b", skip=set()) == {"a": 2, "b": 1}
