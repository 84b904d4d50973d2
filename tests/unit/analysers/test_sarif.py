"""SARIF files of other tools as input: places of any form, nothing outside, and no file can break it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish import codec
from burnish.analysers._sarif_paths import Outside, path_of
from burnish.analysers._setup import AnalyserSetup
from burnish.analysers.sarif import make
from burnish.model.assessment import Analysis
from burnish.model.review import Severity
from burnish.ports import Source


def result(uri: str = "src/a.py", line: int = 2, **more: Any) -> dict[str, Any]:
    place = {"artifactLocation": {"uri": uri}, "region": {"startLine": line}}
    return {
        "ruleId": "r1",
        "message": {"text": "bad"},
        "locations": [{"physicalLocation": place}],
        **more,
    }


def document(*results: Any, **run: Any) -> dict[str, Any]:
    tool = {"driver": {"name": "Some Tool", "rules": []}}
    return {"version": "2.1.0", "runs": [{"tool": tool, "results": list(results), **run}]}


def taken(tmp: Path, content: Any, **options: str) -> Analysis:
    tree = tmp / "tree"
    (tree / "src").mkdir(parents=True, exist_ok=True)
    (tree / "src" / "a.py").write_text("import os\nos.system(x)\n")
    file = tmp / "in.sarif"
    file.write_text(content if isinstance(content, str) else codec.dumps(content))
    setup = AnalyserSetup(env={}, sarif=(file,), options=options)
    return asyncio.run(make(setup).analyse(Source(tree, "t1"), ("src/a.py",)))


def test_a_result_becomes_a_finding_with_the_tools_name(tmp_path: Path) -> None:
    found = taken(tmp_path, document(result()))
    one = found.findings[0]
    assert (one.file, one.line, one.rule, one.severity) == (
        "src/a.py", 2, "some-tool:r1", Severity.MEDIUM,
    )  # fmt: skip
    assert one.snippet == "os.system(x)"
    assert found.failed == ""


@pytest.mark.parametrize(
    ("location", "run"),
    [
        ({"uri": "src/a.py"}, {}),
        ({"uri": "./src/../src/a.py"}, {}),
        ({"uri": "src%2Fa.py"}, {}),
        ({"uri": "src\\a.py"}, {}),
        ({"uri": "file:///repo/src/a.py"}, {}),
        ({"uri": "file://localhost/repo/src/a.py"}, {}),
        ({"uri": "/repo/src/a.py"}, {}),
        ({"uri": "src/a.py", "uriBaseId": "%SRCROOT%"}, {}),
        ({"uri": "a.py", "uriBaseId": "SRC"}, {"originalUriBaseIds": {"SRC": {"uri": "src/"}}}),
        ({"uri": "a.py", "uriBaseId": "SRC"},
         {"originalUriBaseIds": {"SRC": {"uri": "src/", "uriBaseId": "ROOT"}, "ROOT": {"uri": "file:///repo/"}}}),
        ({"uri": "file:///ci/build/src/a.py"}, {"originalUriBaseIds": {"ROOT": {"uri": "file:///ci/build/"}}}),
        ({"uri": "/ci/build/src/a.py"}, {"invocations": [{"workingDirectory": {"uri": "file:///ci/build"}}]}),
        ({"index": 0}, {"artifacts": [{"location": {"uri": "src/a.py"}}]}),
        ({"uri": "C:\\work\\src\\a.py"}, None),
    ],
)  # fmt: skip
def test_a_place_in_any_form_is_a_path_of_the_repository(
    location: dict[str, Any], run: dict[str, Any] | None
) -> None:
    if run is None:
        with pytest.raises(Outside):
            path_of(location, {}, ("/repo",))
    else:
        assert path_of(location, run, ("/repo",)) == "src/a.py"


@pytest.mark.parametrize(
    "uri",
    [
        "../x.py", "src/../../x.py", "/etc/passwd", "file:///etc/passwd", "https://example.org/src/a.py",
        "file://host/repo/src/a.py", "%2e%2e/x.py", "/repo/../etc/x", "a%00.py", "a\nb", "", ".", "/repo",
        "/repository/x.py", "data:text/plain,x", "file://[",
    ],
)  # fmt: skip
def test_a_place_outside_is_refused_and_counted(tmp_path: Path, uri: str) -> None:
    found = taken(tmp_path, document(result(uri), result()), repository="/repo")
    assert [one.file for one in found.findings] == ["src/a.py"]
    assert [(one.path, one.why) for one in found.not_reviewed] == [
        ("in.sarif", "1 results name a place outside the repository")
    ]


def test_a_place_that_is_not_reviewed_is_counted_apart(tmp_path: Path) -> None:
    found = taken(tmp_path, document(result("other.py")))
    assert found.findings == ()
    assert found.not_reviewed[0].why == "1 results are about files that are not reviewed here"


@pytest.mark.parametrize(
    ("more", "severity"),
    [
        ({"level": "error"}, Severity.HIGH),
        ({"level": "note"}, Severity.LOW),
        ({"level": "nonsense"}, Severity.MEDIUM),
        ({"properties": {"security-severity": "9.8"}}, Severity.CRITICAL),
        ({"properties": {"security-severity": 7.0}, "level": "note"}, Severity.HIGH),
        ({"properties": {"security-severity": "nan"}, "level": "note"}, Severity.LOW),
        ({"properties": {"security-severity": "99"}}, Severity.MEDIUM),
    ],
)
def test_severity_is_the_score_else_the_level(
    tmp_path: Path, more: dict[str, Any], severity: Severity
) -> None:
    assert taken(tmp_path, document(result(**more))).findings[0].severity is severity


def test_the_rule_gives_level_words_weakness_and_dimension(tmp_path: Path) -> None:
    rule = {
        "id": "py/sql",
        "shortDescription": {"text": "SQL from text"},
        "defaultConfiguration": {"level": "error"},
        "helpUri": "https://example.org/sql",
        "properties": {"tags": ["security", "external/cwe/cwe-089"], "precision": "high"},
    }
    content = document({**result(), "ruleId": "py/sql", "message": {}, "ruleIndex": 0})
    content["runs"][0]["tool"] = {"driver": {"name": "CodeQL", "rules": [rule]}}
    one = taken(tmp_path, content).findings[0]
    assert (one.rule, one.severity, one.cwe) == ("codeql:py/sql", Severity.HIGH, "CWE-89")
    assert (one.dimension, one.title, one.confidence) == ("security", "SQL from text", 0.75)
    assert one.references == ("https://example.org/sql", "https://cwe.mitre.org/data/definitions/89.html")


@pytest.mark.parametrize(
    "more",
    [{"kind": "pass"}, {"baselineState": "absent"}, {"suppressions": [{"kind": "external"}]}],
)
def test_what_is_no_defect_or_decided_already_is_counted(tmp_path: Path, more: dict[str, Any]) -> None:
    found = taken(tmp_path, document(result(**more)))
    assert found.findings == ()
    assert found.not_reviewed[0].why == "1 results are suppressed or no defect"


def test_a_tool_cannot_call_itself_one_of_ours(tmp_path: Path) -> None:
    content = document(result())
    content["runs"][0]["tool"]["driver"]["name"] = "Tests"
    assert taken(tmp_path, content).findings[0].rule == "sarif-tests:r1"


def test_of_the_base_only_what_stood_there_is_said(tmp_path: Path) -> None:
    head, base = tmp_path / "head", tmp_path / "base"
    for root, text in ((head, "new\nmoved\nadded\n"), (base, "moved\nelse\n")):
        root.mkdir()
        (root / "a.py").write_text(text)
    file = tmp_path / "in.sarif"
    file.write_text(codec.dumps(document(result("a.py", 2), result("a.py", 3))))
    analyser = make(AnalyserSetup(env={}, sarif=(file,)))
    of_head = asyncio.run(analyser.analyse(Source(head, "h"), ("a.py",)))
    of_base = asyncio.run(analyser.analyse(Source(base, "b"), ("a.py",)))
    assert [one.snippet for one in of_head.findings] == ["moved", "added"]
    assert [one.snippet for one in of_base.findings] == ["moved"]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("not json", "cannot be taken in"),
        ("[]", "not SARIF"),
        ('{"version": "2.1.0"}', "no list of runs"),
        ('{"version": "1.0.0", "runs": []}', "expected '2.1.0'"),
        ("[" * 100_000, "cannot be taken in"),
        ('{"runs": [], "runs": []}', "duplicate key"),
    ],
)
def test_a_file_that_is_no_sarif_is_a_sentence(tmp_path: Path, content: str, why: str) -> None:
    found = taken(tmp_path, content)
    assert why in found.failed
    assert found.findings == ()


def test_a_file_that_cannot_be_read_is_a_sentence(tmp_path: Path) -> None:
    setup = AnalyserSetup(env={}, sarif=(tmp_path / "gone.sarif",))
    found = asyncio.run(make(setup).analyse(Source(tmp_path, "t"), ("a.py",)))
    assert "gone.sarif" in found.failed
    assert make(AnalyserSetup(env={})).missing() == "no SARIF file is named"


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
KEYS = (
    "ruleId",
    "rule",
    "message",
    "locations",
    "level",
    "properties",
    "codeFlows",
    "suppressions",
    "kind",
    "ruleIndex",
)


@given(
    results=st.lists(st.dictionaries(st.sampled_from(KEYS), ANYTHING) | ANYTHING, max_size=3),
    run=st.dictionaries(
        st.sampled_from(("tool", "artifacts", "originalUriBaseIds", "invocations")), ANYTHING, max_size=3
    ),
)
def test_no_shape_of_a_result_breaks_it(
    results: list[Any], run: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    tmp = tmp_path_factory.getbasetemp()
    found = taken(tmp, document(*results, result(), **run))
    assert found.failed == ""
    assert "src/a.py" in {one.file for one in found.findings}


@given(uri=st.text(max_size=40))
def test_no_address_leads_out(uri: str) -> None:
    try:
        path = path_of({"uri": uri}, {}, ("/repo",))
    except (Outside, ValueError):
        return
    assert not path.startswith("/")
    assert ".." not in path.split("/")
