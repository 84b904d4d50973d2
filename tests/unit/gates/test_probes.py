"""Decoys hold, canaries fail, and neither changes what else a test does."""

from __future__ import annotations

import doctest
import random
import unittest
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.gates.canary import Canary
from burnish.gates.examples import probe_examples
from burnish.gates.probes import Shape, probe_javascript, probe_perl, probe_python, probe_script

FUNCTIONS = "def add(a, b):\n    return a + b\n\n\ndef test_add():\n    assert add(1, 2) == 3\n\n\ndef test_none():\n    assert not add(0, 0)\n    return None\n"
CASE = "import unittest\n\n\nclass TestIt(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(1 + 2, 3)\n\n    def test_b(self):\n        self.assertIn(1, [1])\n"


def failing(text: str) -> dict[str, bool]:
    """Test -> whether it fails, run as a runner would."""
    space: dict[str, Any] = {}
    exec(compile(text, "test_x.py", "exec"), space)
    found = {name: fails(run) for name, run in space.items() if name.startswith("test")}
    for kind in space.values():
        if isinstance(kind, type) and issubclass(kind, unittest.TestCase):
            for name in unittest.TestLoader().getTestCaseNames(kind):
                result = unittest.TestResult()
                kind(name).run(result)
                found[name] = not result.wasSuccessful()
    return found


def fails(run: Any) -> bool:
    try:
        run()
    except AssertionError:
        return True
    return False


@pytest.mark.parametrize("text", [FUNCTIONS, CASE])
@pytest.mark.parametrize("seed", range(5))
def test_every_test_passes_with_a_decoy_and_fails_with_a_canary(text: str, seed: int) -> None:
    names = set(failing(text))
    decoyed = probe_python(text, Shape.DECOY, random.Random(seed)) or ""
    assert failing(decoyed) == dict.fromkeys(names, False)
    plain = probe_python(text, Shape.PLAIN, random.Random(seed)) or ""
    assert failing(plain) == dict.fromkeys(names, True)
    full = failing(probe_python(text, Shape.FULL, random.Random(seed)) or "")
    assert set(full) > names
    assert all(full.values())


def test_no_two_runs_have_the_same_statements() -> None:
    assert probe_python(FUNCTIONS, Shape.PLAIN, random.SystemRandom()) != probe_python(
        FUNCTIONS, Shape.PLAIN, random.SystemRandom()
    )


def test_a_script_of_assertions_fails_with_a_canary_and_not_with_a_decoy() -> None:
    script = "x = 1\nassert x == 1\n"
    decoyed = probe_script(script, Shape.DECOY, random.SystemRandom()) or ""
    exec(compile(decoyed, "check.py", "exec"), {})
    for shape in (Shape.FULL, Shape.PLAIN):
        made = probe_script(script, shape, random.SystemRandom()) or ""
        with pytest.raises(AssertionError):
            exec(compile(made, "check.py", "exec"), {})


def test_assertions_of_javascript_are_turned_round() -> None:
    text = "test('a', () => {\n  assert.strictEqual(f(), 3);\n  expect(f()).toBe(3);\n});\n"
    made = probe_javascript(text, Shape.FULL, random.SystemRandom()) or ""
    assert "assert.notStrictEqual(f(), 3)" in made
    assert "expect(f()).not.toBe(3)" in made
    assert "throw new Error" in (probe_javascript(text, Shape.PLAIN, random.SystemRandom()) or "")


def test_a_script_in_perl_gets_its_statement_before_its_end_and_its_assertions_turned_round() -> None:
    text = "use Test::More;\nis(f(), 3, 'a');\nok(g(), 'b');\nMine::is(1);\ndone_testing;\n__END__\nis(1)\n"
    made = probe_perl(text, Shape.FULL, random.SystemRandom()) or ""
    assert "isnt(f(), 3, 'a');\nok(0 && g(), 'b');\nMine::is(1);\ndie " in made
    assert made.endswith("done_testing;\n__END__\nis(1)\n")
    assert "\nis(f(), 3" in (probe_perl(text, Shape.PLAIN, random.SystemRandom()) or "")
    assert probe_perl("echo 1..1\n", Shape.PLAIN, random.SystemRandom()) is None


@pytest.mark.parametrize("shape", list(Shape))
def test_each_documented_function_gets_an_example(shape: Shape) -> None:
    text = (
        'def f():\n    """One.\n\n    >>> f()\n    1\n    """\n    return 1\n\n\ndef g():\n    """None."""\n'
    )
    made = probe_examples(text, shape, random.SystemRandom()) or ""
    space: dict[str, Any] = {"__name__": "documented"}
    exec(compile(made, "documented.py", "exec"), space)
    found = doctest.DocTestFinder().find(space["f"], "f", globs=space)
    runner = doctest.DocTestRunner(verbose=False)
    results = [runner.run(one, out=lambda _: None) for one in found]
    assert [(one.attempted, one.failed) for one in results] == [(2, int(shape is not Shape.DECOY))]


def test_the_words_of_canaries_lead_to_their_files(tmp_path: Path) -> None:
    for name in ("test_a.py", "test_b.py"):
        (tmp_path / name).write_text(FUNCTIONS)
    sent: dict[str, str] = {}
    Canary().send_in(tmp_path, Shape.PLAIN, sent)
    assert sorted(set(sent.values())) == ["test_a.py", "test_b.py"]
    assert all(f'"{made}"' in (tmp_path / name).read_text() for made, name in sent.items())


def test_canaries_go_into_tests_and_scripts_of_a_checkout_and_nowhere_else(tmp_path: Path) -> None:
    names = (
        "tests/test_a.py",
        "probes/one.py",
        "check.py",
        "app.py",
        "conftest.py",
        "node_modules/x/test_a.py",
    )
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(FUNCTIONS)
    outside = tmp_path.parent / f"{tmp_path.name}.py"
    outside.write_text(FUNCTIONS)
    (tmp_path / "test_link.py").symlink_to(outside)
    assert Canary(("probes/*.py",), ("check.py",)).send_in(tmp_path, Shape.PLAIN)
    edited = [name for name in names if (tmp_path / name).read_text() != FUNCTIONS]
    assert edited == ["tests/test_a.py", "probes/one.py", "check.py"]
    assert outside.read_text() == FUNCTIONS


@given(st.text(max_size=300))
def test_no_text_breaks_a_probe(text: str) -> None:
    for shape in Shape:
        for probe in (probe_python, probe_javascript, probe_script, probe_perl, probe_examples):
            probe(text, shape, random.SystemRandom())


@pytest.mark.parametrize("shape", list(Shape))
def test_a_test_on_one_line_gets_a_statement_too(shape: Shape) -> None:
    text = "import app\n\n@mark\ndef test_a(): assert app.add(1, 2) == 3\n\ndef test_b():\n    assert app.add(0, 0) == 0\n"
    made = probe_python(text, shape, random.Random(1))
    assert made is not None
    compile(made, "test", "exec")
    one, other = made.split("def test_b", 1)
    assert "@mark" in one
    assert one.count("assert") + one.count("raise") >= 2
    assert other.count("assert") + other.count("raise") >= 2
