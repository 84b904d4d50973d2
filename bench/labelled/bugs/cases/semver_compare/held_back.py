from program import newest, ordered


def test_spec_example():
    chain = ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0"]
    assert ordered(reversed(chain)) == chain


def test_newest_with_pre():
    assert newest(["3.0.0-pre.9", "3.0.0-pre.12", "3.0.0-pre.100"], include_pre=True) == "3.0.0-pre.100"


def test_numeric_before_text():
    assert ordered(["1.0.0-x", "1.0.0-7"]) == ["1.0.0-7", "1.0.0-x"]
