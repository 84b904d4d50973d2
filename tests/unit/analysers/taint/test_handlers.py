"""Small servers and programs in handlers/*.txt: each line `# BAD` is found, `# PAGE` as a page, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.analysers.taint.follow import follow, known, marked, programs

FOLDER = Path(__file__).with_name("handlers")
HEAD = "from lab import sink\n"
KNOWN = known()
MARKS = {"BAD": "command", "PAGE": "xss", "REDIRECT": "redirect"}


def wanted(files: dict[str, str]) -> set[tuple[str, int, str]]:
    return {(*place, flaw) for mark, flaw in MARKS.items() for place in marked(files, mark)}


PROGRAMS = programs(FOLDER, HEAD, "app/", "main.py")


@pytest.mark.parametrize("files", [pytest.param(files, id=name) for name, files in PROGRAMS])
def test_what_is_from_outside_is_followed_and_nothing_else(files: dict[str, str]) -> None:
    report = follow(files, KNOWN).report
    found = {key for key in report.findings if key[2] in MARKS.values()}
    assert [_shown(files, key) for key in sorted(wanted(files) - found)] == [], "missed"
    assert [_shown(files, key) for key in sorted(found - wanted(files))] == [], "false alarms"
    assert not report.undone


def _shown(files: dict[str, str], key: tuple[str, int, str]) -> str:
    return f"{key[0]}:{key[1]} {files[key[0]].splitlines()[key[1] - 1].strip()}"


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("files", 'sink(open("a").read())'),
        ("files", 'sink(json.load(open("a"))["a"])'),
        ("files", 'sink(pathlib.Path("a").read_text())'),
        ("network", 'sink(requests.get("https://a").text)'),
        ("network", 'sink(requests.get("https://a").json()["a"])'),
        ("network", 'sink(urllib.request.urlopen("https://a").read())'),
        ("network", 'sink(socket.create_connection(("a", 1)).recv(9).decode())'),
        ("network", 'a, _ = socket.socket().accept(); sink("b" + a.recv(9).decode())'),
        ("network", "sink(ssl.create_default_context().wrap_socket(socket.socket()).recv(9))"),
    ],
)
def test_files_and_the_network_are_followed_where_somebody_asks(kind: str, line: str) -> None:
    code = f"import json, pathlib, requests, socket, ssl, urllib.request\nfrom lab import sink\n{line}\n"
    asked = known()
    assert not follow({"app.py": code}, asked).report.findings
    asked.kinds = (*asked.kinds, kind)
    assert ("app.py", 3, "command") in follow({"app.py": code}, asked).report.findings
