"""A line on which a path or text is put together is told with the clean call, unless it goes elsewhere too."""

from __future__ import annotations

import ast

import pytest

from burnish.analysers.taint.putting_together import lines_before

GUARDED = """\
def page(name, db):
    path = os.path.join(BASE, name)
    path = os.path.realpath(path)
    if not path.startswith(BASE):
        raise ValueError(f"not {path}")
    log.info("reads %s", path)
    with open(path) as file:
        return file.read()
"""


def before(text: str, line: int) -> tuple[int, ...]:
    return lines_before(ast.parse(text), {line}).get(line, ())


def test_what_is_only_asked_about_told_and_used_at_the_clean_place_is_told_with_it() -> None:
    assert before(GUARDED, 7) == (2, 3)


@pytest.mark.parametrize(
    "line",
    [
        "send(path)",
        "self.path = path",
        "other = load(path)",
        "back = lambda: open(path)",
        "yield path",
        "global path",
        "if load(path): return None",
        "return path",
        "paths.append(path)",
        "raise ValueError(load(path))",
    ],
)
def test_what_goes_elsewhere_is_not_told(line: str) -> None:
    assert before(GUARDED.replace('log.info("reads %s", path)', line), 7) == ()


def test_a_line_that_may_use_what_it_puts_together_is_not_told() -> None:
    text = (
        "def page(db, name):\n    row = run(f'select {name}')\n    query = 'x' + row\n    db.execute(query)\n"
    )
    assert before(text, 4) == (3,)
    assert before(text.replace("run(f'select {name}')", "run(sql=f'select {name}')"), 4) == (3,)


def test_a_call_has_all_its_lines_except_those_of_calls_inside_it() -> None:
    text = "db.execute(\n    'select ' +\n    run(\n        name\n    )\n)\n"
    assert before(text, 1) == (2, 6)
