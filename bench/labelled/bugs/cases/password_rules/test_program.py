from program import is_valid, longest_repeat, problems


def test_no_problems():
    assert problems("Correct7Horse") == []


def test_valid():
    assert is_valid("Correct7Horse")


def test_too_short():
    assert problems("Ab1") == ["at least 10 characters"]


def test_common():
    assert "not a common password" in problems("PASSWORD")


def test_repeats():
    assert longest_repeat("aabbbb") == 4
    assert problems("Aaaaaa12345") == ["no letter four times in a row"]
