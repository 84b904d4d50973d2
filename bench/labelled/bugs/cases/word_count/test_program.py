from program import average_sentence, frequencies, longest, most_common, sentences, words


def test_words():
    assert words("Don't stop, now") == ["Don't", "stop", "now"]


def test_frequencies():
    assert frequencies("red green red") == {"red": 2, "green": 1}


def test_case_does_not_matter():
    assert frequencies("stop stop Stop") == {"stop": 3}


def test_stop_words():
    assert frequencies("The cat and the dog") == {"cat": 1, "dog": 1}


def test_longest():
    assert longest("a bcd ef") == "bcd"
    assert longest("") == ""


def test_sentences():
    assert sentences("One. Two three! ") == ["One", "Two three"]
    assert average_sentence("One. Two three!") == 1.5
    assert most_common("b b c") == [("b", 2), ("c", 1)]
