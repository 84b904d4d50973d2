"""Examples of the base that a change keeps, and ways of losing them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.gates.examples import keeps_examples

BASE = 'def f(a):\n    """One.\n\n    >>> f(1)\n    2\n    >>> f(2)\n    3\n    """\n    return a + 1\n'
BARE = "def _f(a):\n    return a + 1\n"
METHOD = f"class A:\n{''.join(f'    {line}' for line in BASE.splitlines(keepends=True))}\n    def g(self):\n        pass\n"


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("a.py", BASE, BASE.replace("a + 1", "1 + a")),
        (
            "a.py",
            BASE,
            BASE.replace("One.", "Another.").replace("f(2)\n    3\n", "f(2)\n    3\n    >>> f(3)\n    4\n"),
        ),
        ("a.py", BASE, "x = 1\n"),
        ("a.py", BASE, None),
        ("a.py", METHOD, "class A:\n    def g(self):\n        pass\n"),
        ("a.md", "# A\n\n>>> 1\n1\n", "# B\n\n>>> 1\n1\n\n>>> 2\n2\n"),
        ("a.md", "# A\n", None),
    ],
)
def test_examples_are_kept_or_go_with_what_they_document(path: str, old: str, new: str | None) -> None:
    assert keeps_examples(path, old.encode(), None if new is None else new.encode())


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("a.py", BASE, BASE.replace("f(2)\n", "f(2)  # doctest: +SKIP\n")),
        ("a.py", BASE, BASE.replace("    3\n", "    ...\n")),
        ("a.py", BASE, BASE.replace("    >>> f(2)\n    3\n", "")),
        ("a.py", BASE, BASE.replace(">>> f(2)", "> f(2)")),
        ("a.py", BASE, f"{BARE}\nf = _f\n"),
        ("a.py", BASE, f"{BARE}\nfrom b import _f as f\n"),
        ("a.py", BASE, f"{BASE}\n\ndef f(a):\n    return 0\n"),
        ("a.py", BASE, f"{BASE}\nf.__doc__ = None\n"),
        ("a.py", BASE, f"__doctest_skip__ = ['f']\n{BASE}"),
        ("a.py", BASE, "def f(:\n"),
        ("a.md", "# A\n\n>>> 1\n1\n", "# A\n\n>>> 1\n2\n"),
        ("a.md", "# A\n\n>>> 1\n1\n", None),
    ],
)
def test_an_example_that_is_edited_skipped_or_lost_is_not_kept(path: str, old: str, new: str | None) -> None:
    assert not keeps_examples(path, old.encode(), None if new is None else new.encode())


@given(st.text(max_size=200), st.text(max_size=200))
def test_no_text_breaks_the_comparison(old: str, new: str) -> None:
    for path in ("a.py", "a.md"):
        keeps_examples(
            path, f">>> 1\n{old}".encode("utf8", "surrogatepass"), new.encode("utf8", "surrogatepass")
        )
