"""The arithmetic of the labelled pairs, on a table made up here, and the guard before the half that is held."""

from __future__ import annotations

import pytest
from bench._scores import Score, counted, macro, micro
from bench._taint_cases import Case, Variant, variants
from bench._taint_tools import Hit, Told, kinds_by_number
from bench.taint import judged, plot, scored, share
from bench.taint_misses import lines


def pair(name: str, kind: str) -> tuple[Variant, Variant]:
    case = Case(name, kind, "flask", "handler")
    weak, safe = f"cases/{kind}/{name}_a.py", f"cases/{kind}/{name}_b.py"
    return Variant(case, "a", (weak,), (weak, 7)), Variant(case, "b", (safe,), None)


def hit(name: str, side: str, kind: str, line: int = 7) -> Hit:
    return Hit(kind, f"{name}_{side}/{name}_{side}.py", line, f"taint:{kind}")


PAIRS = [*pair("sql_1", "sql"), *pair("sql_2", "sql"), *pair("xss_1", "xss")]
# Of two pairs of sql one is found and one look-alike is reported; the report on xss is of another class.
TOLD = Told((hit("sql_1", "a", "sql"), hit("sql_2", "b", "sql"), hit("xss_1", "a", "sql")))


def test_only_reports_of_the_class_of_a_pair_count() -> None:
    assert scored(TOLD, PAIRS) == {"sql": Score(1, 1, 1, 1), "xss": Score(0, 1, 0, 1)}


def test_ratios_are_those_of_the_counts() -> None:
    score = counted([(True, True)] * 3 + [(True, False)] + [(False, True)] + [(False, False)] * 4)
    assert (score.precision, score.recall, score.alarm_rate) == (0.75, 0.75, 0.2)
    assert score.youden == pytest.approx(0.55)
    assert Score(0, 4, 0, 4).precision is None
    assert share(Score(0, 4, 0, 4).precision) == "-"


def test_macro_is_the_mean_of_classes_and_micro_the_mean_of_pairs() -> None:
    scores = {"sql": Score(8, 0, 2, 6), "xss": Score(0, 2, 0, 2)}
    assert macro(scores).recall == 0.5
    assert micro(scores).recall == 0.8
    assert macro(scores).precision == 0.8  # of the one class in which something was reported
    assert macro(scores).youden == pytest.approx((0.75 + 0) / 2)
    assert micro(scores).youden == pytest.approx(0.8 - 0.2)


def test_a_report_beside_the_labelled_line_is_told_apart() -> None:
    weak = PAIRS[0]
    assert judged(weak, hit("sql_1", "a", "sql")).at_sink
    assert not judged(weak, hit("sql_1", "a", "sql", line=8)).at_sink
    assert not judged(weak, hit("sql_1", "b", "sql")).at_sink


def test_misses_and_false_alarms_are_listed_with_their_places() -> None:
    said = "\n".join(lines(TOLD, {one.name: one for one in PAIRS}))
    assert "MISS   sql_2 (flask, handler) bench/labelled/taint/cases/sql/sql_2_a.py:7" in said
    assert "ALARM  sql_2" in said
    assert "sql_1" not in said
    assert "but taint:sql at bench/labelled/taint/cases/xss/xss_1_a.py:7" in said


def test_the_held_half_is_refused_before_anything_is_opened() -> None:
    with pytest.raises(SystemExit, match="opened once, for the final table"):
        variants("held")


def test_the_development_half_has_only_cases_of_its_own() -> None:
    every = variants("dev")
    assert len(every) > 200
    assert sum(one.sink is not None for one in every) * 2 == len(every)


def test_no_rule_of_others_stands_for_two_classes() -> None:
    known = kinds_by_number()
    assert known["602"] == "command"
    assert "404" not in known


def test_bars_are_as_long_as_the_index() -> None:
    drawn = plot({"ours": {"sql": Score(4, 0, 0, 4)}, "other": {"sql": Score(1, 3, 2, 2)}})
    assert drawn.splitlines()[0].count("#") == 20
    assert drawn.splitlines()[1].endswith("| -0.25")
    assert "#" not in drawn.splitlines()[1]
