import pytest
from program import Spec, UsageError, parse, usage

SPEC = Spec(flags=["verbose"], options=["out", "level"])


def test_positional():
    assert parse(SPEC, ["a", "b"]) == ({"verbose": False}, ["a", "b"])


def test_flag_and_options():
    values, rest = parse(SPEC, ["--verbose", "--out", "x", "--level=3", "f"])
    assert values == {"verbose": True, "out": "x", "level": "3"}
    assert rest == ["f"]


def test_end_of_options():
    assert parse(SPEC, ["a", "--", "--out"])[1] == ["a", "--out"]


def test_errors():
    for words in (["--what"], ["--out"], ["--verbose=1"]):
        with pytest.raises(UsageError):
            parse(SPEC, words)


def test_usage():
    assert usage("run", SPEC) == "run [--verbose] [--level VALUE] [--out VALUE]"
