"""Run every planted bug: originals pass everything, planted programs fail as the manifest promises.

    python bench/labelled/bugs/check.py [id ...]
    python -m bench.labelled.bugs.check [id ...]

For each case, in a temporary folder of its own:

* the original passes test_program.py and held_back.py, every test;
* the planted program can be imported, fails at least one test of test_program.py, passes at least two,
  and fails at least one of held_back.py.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import sys
import tempfile
import tomllib
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import pytest

os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
sys.dont_write_bytecode = True

HERE = Path(__file__).resolve().parent
FILES = ("test_program.py", "held_back.py")
LIMIT_S = 20


def _run(folder: str) -> None:
    os.chdir(folder)
    sys.path.insert(0, folder)
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    pytest.main(["-q", "-p", "no:cacheprovider", "--junitxml=out.xml", *FILES])


def outcome(program: Path, tests: Path) -> dict[str, Counter[str]]:
    """Counts of passed, failed and error, per test file."""
    with tempfile.TemporaryDirectory(prefix="planted-") as name:
        folder = Path(name)
        shutil.copy(program, folder / "program.py")
        for file in FILES:
            shutil.copy(tests / file, folder / file)
        (folder / "pytest.ini").write_text("[pytest]\n")
        child = multiprocessing.get_context("fork").Process(target=_run, args=(name,))
        child.start()
        child.join(LIMIT_S)
        if child.exitcode is None:
            child.kill()
            child.join()
            raise TimeoutError
        counts: dict[str, Counter[str]] = {file: Counter() for file in FILES}
        for case in ET.parse(folder / "out.xml").getroot().iter("testcase"):
            module = (case.get("classname") or case.get("name") or "").split(".")[0]
            states = {child.tag for child in case}
            state = "error" if "error" in states else "failed" if "failure" in states else "passed"
            counts[f"{module}.py"][state] += 1
        return counts


def problems(bug: dict[str, object]) -> list[str]:
    name = str(bug["id"])
    case = HERE / "cases" / name
    found = []
    try:
        good = outcome(HERE / "originals" / f"{name}.py", case)
        bad = outcome(case / "program.py", case)
    except TimeoutError:
        return [f"{name}: does not end within {LIMIT_S} s"]
    for file in FILES:
        if set(good[file]) != {"passed"}:
            found.append(f"{name}: the original does not pass {file}: {dict(good[file])}")
        if bad[file]["error"]:
            found.append(f"{name}: the planted program has errors in {file}: {dict(bad[file])}")
        if not bad[file]["failed"]:
            found.append(f"{name}: the planted program fails nothing in {file}: {dict(bad[file])}")
    if bad["test_program.py"]["passed"] < 2:
        found.append(f"{name}: the planted program passes fewer than two visible tests")
    return found


def main(wanted: list[str]) -> int:
    bugs = tomllib.loads((HERE / "bugs.toml").read_text(encoding="utf-8"))["bug"]
    unknown = set(wanted) - {bug["id"] for bug in bugs}
    if unknown:
        print(f"no such case: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    chosen = [bug for bug in bugs if not wanted or bug["id"] in wanted]
    found = [problem for bug in chosen for problem in problems(bug)]
    for problem in found:
        print(problem)
    print(f"{len(chosen)} cases, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
