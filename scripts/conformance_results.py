"""Run the marked tests and say which passed: half of this is a pytest plugin, half reads what it wrote."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

VARIABLE = "CONFORMANCE_RESULTS"
Results = dict[str, dict[str, Any]]
RAN = {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED}


def run_marked(tests: Path, jobs: int) -> Results | None:
    """Run every marked test: per case its ids and how it ended, or None when pytest did not get that far."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "results.json"
        environ = os.environ | {VARIABLE: str(out), "PYTHONPATH": str(Path(__file__).parent)}
        command = [sys.executable, "-m", "pytest", "-q", "-m", "conformance", "-p", "conformance_results"]
        command += ["-n", str(jobs)] if jobs > 1 else []
        # What pytest prints is progress; the table alone goes to stdout.
        done = subprocess.run(
            [*command, tests], cwd=tests.parent, env=environ, stdout=sys.stderr, check=False
        )
        if done.returncode not in RAN or not out.exists():
            return None
        results: Results = json.loads(out.read_text("utf8"))
        return results


def passing(results: Results) -> dict[str, set[str]]:
    """Which tests show a row: at least one of their cases for it passed, and none failed."""
    outcomes: dict[tuple[str, str], set[str]] = {}
    for case, result in results.items():
        for id_ in result["ids"]:
            outcomes.setdefault((id_, case.split("[")[0]), set()).add(result["outcome"])
    shown: dict[str, set[str]] = {}
    for (id_, test), found in outcomes.items():
        if "passed" in found and "failed" not in found:
            shown.setdefault(id_, set()).add(test)
    return shown


def failed(results: Results) -> list[str]:
    """Failed cases. A skipped one is not counted for its row, and is no failure either."""
    return [case for case, result in results.items() if result["outcome"] == "failed"]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "conformance(*ids): rows of docs/conformance.toml that a test shows")
    if VARIABLE in os.environ and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder(Path(os.environ[VARIABLE])))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """User properties travel with a report, also from a worker process of pytest-xdist."""
    for item in items:
        ids = [id_ for marker in item.iter_markers("conformance") for id_ in marker.args]
        item.user_properties.append(("conformance", ids))


class Recorder:
    """Keeps how each test case ended: the call must pass, and setup and teardown must not fail."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.results: Results = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        ids = dict(report.user_properties).get("conformance", [])
        result = self.results.setdefault(report.nodeid, {"ids": ids, "outcome": "skipped"})
        if report.outcome == "failed" or (report.when == "call" and result["outcome"] != "failed"):
            result["outcome"] = report.outcome

    def pytest_sessionfinish(self) -> None:
        self.out.write_text(json.dumps(self.results), "utf8")
