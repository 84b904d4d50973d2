"""`python -m chaos._reading PARSER SHORT SEED`: what one parser costs on each hostile text, as JSON lines."""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any

from burnish import codec, sanitise
from burnish.agents._scenario import load as load_scenario
from burnish.config import files as config_files
from burnish.errors import BurnishError
from burnish.gates.added_lines import read_hunks
from burnish.gates.suppressions import added_suppressions
from burnish.git import diff, listing, names, trees
from burnish.model.agent import Reply
from burnish.model.receipt import FORMAT
from burnish.model.review import Review
from burnish.process.capture import Capture, Lines
from burnish.prompts.book import PromptBook, fence
from burnish.receipts import chain, make
from burnish.registry import load
from burnish.suite_output import failures
from burnish.suite_output.counting import count_tests
from burnish.workflows.silencing import silenced
from chaos import _hostile_texts as texts

CPU_S = 0.1
MEMORY_BYTES = 50_000_000
TRIES = 3
FEW = 6


@dataclass(frozen=True)
class Parser:
    read: Callable[[Any], object]
    texts: Callable[[], Mapping[Any, Any]] = texts.general


def contract(name: str, *, compat: bool = False, report: bool = False) -> Parser:
    made = load("contracts", name)(compat=compat)
    return Parser(lambda text: made.parse(Reply("done", report=text) if report else Reply(text)))


def config(text: str, *, yaml: bool, size: int) -> object:
    return config_files.read(config_files.ConfigFile("burnish", text.encode("utf8", "replace")[:size], yaml))


def from_file(read: Callable[[Path], object], data: str | bytes) -> object:
    with tempfile.NamedTemporaryFile() as file:
        Path(file.name).write_bytes(data if isinstance(data, bytes) else data.encode("utf8", "replace"))
        return read(Path(file.name))


def receipt(text: str) -> object:
    """As a file is, and as the text of an event in a receipt that is otherwise whole."""
    try:
        make.read(text, "x")
    except BurnishError:
        return chain.link([{"kind": "x", "v": 1, "text": sanitise.clean_line(text[:1000]), "body": text}])
    return None


def event_receipts() -> dict[str, str]:
    head = f'{{"format": "{FORMAT}", "run": "r-1", "events": '
    return {
        "many events": head + "[" + ",".join('{"kind":"x","seq":1}' for _ in range(45_000)) + "]}",
        "deep event": head + '[{"a":' * 90_000,
        "wrong everywhere": head + "[" + "1," * 450_000 + "1]}",
        "many unknown keys": head + "[]," + ",".join(f'"k{n}":1' for n in range(90_000)) + "}",
    } | texts.general()


def chunked(size: int, text: str) -> object:
    data, kept, lines = text.encode("utf8", "replace"), Capture(2 * 1024 * 1024), []
    feed = Lines(lines.append)
    for start in range(0, len(data), size):
        kept.take(data[start : start + size])
        feed.take(data[start : start + size])
    return kept.captured.text


def _parted(path: Path) -> object:
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as whole:
        return diff._parts(whole, [trees.Delta(b"M", b"", "", b"", "", b"x", b"")])


def parted(data: bytes) -> object:
    return from_file(_parted, data)


def prompt(text: str) -> object:
    return PromptBook({"review": "{{ diff | cap(200000) | fence }}"}).render("review", diff=text)


def added_lines() -> dict[str, str]:
    """A change of a megabyte whose lines are made to be slow to read."""
    pieces = {
        "a mark and spaces": "x = 1  # noqa" + " " * 500_000 + "y",
        "marks": "x = 1  # " + "noqa " * 100_000,
        "dashes": "x = 1  # noqa " + "- " * 250_000,
        "hashes": "#" * 500_000,
        "hashes and spaces": "# " * 250_000,
        "quotes": "\"'" * 250_000,
        "type and spaces": "# type:" + " " * 500_000,
    }
    head = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -0,0 +1,{} @@\n"
    found = {name: head.format(1) + "+" + text + "\n" for name, text in pieces.items()}
    found["many lines"] = head.format(100_000) + "+x = 1\n" * 100_000
    found["many marked lines"] = head.format(40_000) + "+x = 1  # noqa: E501\n" * 40_000
    return found | texts.general()


def suppressions(text: str) -> object:
    return added_suppressions(read_hunks(text))


def parsers() -> dict[str, Parser]:
    found = {f"contract {name}": contract(name) for name in CONTRACTS}
    found |= {f"contract {name}, compat": contract(name, compat=True) for name in ("verdict-line", "json-verdict")}  # fmt: skip
    found["contract grade, report"] = contract("grade", report=True)
    return found | {
        "sanitise clean": Parser(sanitise.clean),
        "sanitise clean_line": Parser(sanitise.clean_line),
        "codec loads": Parser(codec.loads),
        "codec decode": Parser(lambda text: codec.decode(text, Review)),
        "config toml": Parser(partial(config, yaml=False, size=texts.N), texts.toml),
        "config toml as large as accepted": Parser(partial(config, yaml=False, size=config_files.MAX_BYTES), texts.toml),
        "config yaml": Parser(partial(config, yaml=True, size=texts.N), texts.yaml),
        "config yaml as large as accepted": Parser(partial(config, yaml=True, size=config_files.MAX_YAML_BYTES), texts.yaml),
        "scenario": Parser(partial(from_file, load_scenario), texts.toml),
        "scenario as large as accepted": Parser(
            lambda text: from_file(load_scenario, text[: config_files.MAX_BYTES]), texts.toml
        ),
        "git listing": Parser(listing.parse_listing, texts.listing),
        "git raw diff": Parser(trees.parse_raw, texts.raw_diff),
        "git changed files": Parser(make.changed_files, texts.raw_diff),
        "git diff parts": Parser(parted, texts.diff_text),
        "git names shown": Parser(names.shown, texts.names),
        "git names meaning .git": Parser(names.means_git, texts.names),
        "git complaints": Parser(names.first_line, texts.names),
        "names to slugs": Parser(names.slug),
        "receipt": Parser(receipt, event_receipts),
        "suppressions that a change adds": Parser(suppressions, added_lines),
        "marks that a fix adds": Parser(silenced, added_lines),
        "counts of tests": Parser(count_tests),
        "failing tests": Parser(failures),
        "output in pieces of 64 KB": Parser(partial(chunked, 65536)),
        "output in pieces of 1 KB": Parser(partial(chunked, 1024)),
        "fence in a prompt": Parser(fence),
        "prompt": Parser(prompt),
    }  # fmt: skip


CONTRACTS = ("grade", "verdict-line", "json-verdict", "loop-result", "findings")


def attempt(parser: Parser, text: Any) -> str:
    """An answer or a refusal is what it should be; anything else is named."""
    try:
        parser.read(text)
    except (BurnishError, ValueError):
        return ""
    except Exception as error:  # noqa: BLE001 - whatever it is, it is told
        return f"raised {type(error).__name__}: {error}"
    return ""


def cost(parser: Parser, text: Any) -> dict[str, Any]:
    """The least of some tries, because others use this machine too; memory apart, because counting it takes time."""
    least, wrong = float("inf"), ""
    for _ in range(TRIES):
        began = time.process_time()
        wrong = attempt(parser, text)
        least = min(least, time.process_time() - began)
        if least <= CPU_S * 0.8:
            break
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    attempt(parser, text)
    peak = tracemalloc.get_traced_memory()[1] - before
    tracemalloc.stop()
    return {"cpu_s": least, "bytes": peak, "wrong": wrong}


def main() -> None:
    name, short, seed = sys.argv[1], sys.argv[2] == "short", int(sys.argv[3])
    parser = parsers()[name]
    corpus = parser.texts()
    chosen = sorted(corpus, key=str)
    if short:
        chosen = random.Random(f"{seed}{name}").sample(chosen, min(FEW, len(chosen)))
    attempt(
        parser, "warm" if parser.texts in (texts.general, texts.toml, texts.yaml, event_receipts) else b""
    )
    for text in chosen:
        print(json.dumps({"text": str(text), **cost(parser, corpus[text])}), flush=True)


if __name__ == "__main__":
    main()
