"""What is shown of a diff that is too long, and what is said of the rest."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from unidiff import PatchSet

from burnish.git.reduction import Part, Shown, reduced
from burnish.git.trees import Delta

NEW, OLD = b"000000", b"100644"


def text_of(name: str, *hunks: list[str], new: bool = False) -> bytes:
    """One file's diff; each hunk is its lines with their signs."""
    lines = [f"diff --git a/{name} b/{name}", "--- /dev/null" if new else f"--- a/{name}", f"+++ b/{name}"]
    at = 0 if new else 1
    for hunk in hunks:
        old = sum(line[0] in " -" for line in hunk)
        added = sum(line[0] in " +" for line in hunk)
        old_at = at if old else max(at - 1, 0)
        lines += [f"@@ -{old_at},{old} +{max(at, 1) if added else max(at - 1, 0)},{added} @@ def f():", *hunk]
        at += 1000
    return ("\n".join(lines) + "\n").encode()


def parted(texts: dict[str, bytes], *, new: bool = False) -> tuple[bytes, list[Part]]:
    parts, start = [], 0
    for name, text in texts.items():
        delta = Delta(b"A" if new else b"M", NEW if new else OLD, "0", OLD, "1", name.encode())
        parts.append(Part(delta, start, start + len(text)))
        start += len(text)
    return b"".join(texts.values()), parts


def shortened(texts: dict[str, bytes], cap: int, *, new: bool = False) -> dict[str, Shown]:
    data, parts = parted(texts, new=new)
    return dict(zip(texts, reduced(data, parts, cap), strict=True))


def plus(count: int, word: str = "line") -> list[str]:
    return [f"+{word} {number:04}" for number in range(count)]


def test_what_fits_is_whole_also_when_it_is_generated() -> None:
    texts = {"uv.lock": text_of("uv.lock", plus(9)), "a.py": text_of("a.py", plus(9))}
    assert shortened(texts, 10_000) == {name: Shown(text) for name, text in texts.items()}


def test_a_generated_file_gets_what_the_others_leave_over() -> None:
    texts = {name: text_of(name, plus(20)) for name in ("a.py", "uv.lock", "vendor/big.go", "z.py")}
    one = len(texts["a.py"])
    found = shortened(texts, 3 * one + 20)
    assert [name for name, part in found.items() if part.missing] == ["vendor/big.go"]
    assert found["vendor/big.go"] == Shown(b"", "generated or vendored, by its name")


def test_a_file_over_its_share_shows_its_first_hunks_and_names_the_others() -> None:
    texts = {"small.py": text_of("small.py", plus(3)), "big.py": text_of("big.py", *[plus(20)] * 9)}
    hunk = len(text_of("x", *[plus(20)] * 2)) - len(text_of("x", plus(20)))
    cap = len(texts["small.py"]) + len(text_of("big.py", *[plus(20)] * 3)) + hunk // 6
    found = shortened(texts, cap)
    assert found["small.py"].missing == ""
    assert found["big.py"].missing == "hunks 4-9 of 9"
    assert found["big.py"].text.count(b"\n@@ -") == 3
    one_more = shortened(texts, cap + hunk * 5)
    assert one_more["big.py"].missing == "hunk 9 of 9"


def test_a_hunk_is_cut_at_a_line_and_its_header_counts_what_is_there() -> None:
    hunk = [" before", "-old 1", "-old 2", *plus(500), " after"]
    found = shortened({"a.py": text_of("a.py", hunk)}, 1000)["a.py"]
    (patched,) = PatchSet(found.text.decode())
    (only,) = patched
    assert (only.source_start, only.source_length, only.target_start) == (1, 3, 1)
    assert found.missing == f"hunk 1 of 1 after line {only.target_length}"
    assert found.text.endswith(f"+line {only.target_length - 2:04}\n".encode())


def test_a_side_of_which_no_line_is_shown_is_counted_as_git_does() -> None:
    found = shortened({"a.py": text_of("a.py", [*plus(500), " kept", "-gone"])}, 1000)["a.py"]
    assert b"\n@@ -0,0 +1," in found.text


def test_a_header_that_grows_by_its_counts_is_within_the_size() -> None:
    text = text_of("a.py", ["-gone", *["+"] * 9999]).replace(b"@@ -1,1 ", b"@@ -1 ")
    for cap in range(160, 400):
        found = shortened({"a.py": text}, cap)["a.py"]
        assert b"@@ -1,1 +1," in found.text
        assert len(found.text) <= cap


def test_a_deleted_file_is_cut_by_the_lines_of_the_base() -> None:
    found = shortened({"a.py": text_of("a.py", [f"-{number}" for number in range(900)])}, 1000)["a.py"]
    (only,) = PatchSet(found.text.decode())[0]
    assert only.target_length == 0
    assert found.missing == f"hunk 1 of 1 after the base's line {only.source_length}"


def test_one_endless_line_is_not_begun() -> None:
    found = shortened({"a.js": text_of("a.js", ["+" + "x" * 5000])}, 1000)
    assert found["a.js"] == Shown(b"", "too large, 4 KB of diff")


def test_where_there_is_little_for_each_the_largest_get_nothing() -> None:
    texts = {f"{number:02}.py": text_of(f"{number:02}.py", plus(200 + number)) for number in range(40)}
    found = shortened(texts, 20_000)
    begun = [name for name, part in found.items() if part.text]
    assert begun == list(texts)[: len(begun)]
    assert 8 <= len(begun) <= 10
    assert all(part.missing for part in found.values())


@pytest.mark.parametrize(
    ("line", "new", "left_out_first"),
    [
        ("+# Code generated by protoc. DO NOT EDIT.", True, True),
        (" # @generated", False, True),
        ("-# @generated", False, True),
        ("+# @generated", False, False),
    ],
)
def test_a_change_cannot_call_a_file_generated_that_was_there_before(
    line: str, new: bool, left_out_first: bool
) -> None:
    texts = {
        "a.py": text_of("a.py", [line, *plus(20)], new=new),
        "b.py": text_of("b.py", plus(30), new=new),
    }
    found = shortened(texts, len(texts["b.py"]) + 40, new=new)
    assert (found["a.py"].missing == "generated, as it says itself") is left_out_first
    assert (found["b.py"].missing == "") is left_out_first


HUNKS = st.lists(st.lists(st.sampled_from([" kept", "+added", "-gone", "+@@ -1 +1 @@"]), min_size=1, max_size=60), min_size=1, max_size=6)  # fmt: skip
NAMES = st.sampled_from(["a.py", "b.py", "c/d.py", "uv.lock", "x.min.js", "e.py"])


@given(st.dictionaries(NAMES, HUNKS, min_size=1), st.integers(0, 4000))
@example({"a.py": [["+added"] * 60]}, 199)
def test_whatever_the_diff_it_fits_is_a_diff_and_tells_what_is_missing(
    files: dict[str, list[list[str]]], cap: int
) -> None:
    texts = {name: text_of(name, *hunks) for name, hunks in files.items()}
    found = shortened(texts, cap)
    assert found == shortened(texts, cap)
    assert sum(len(part.text) for part in found.values()) <= cap
    for name, part in found.items():
        assert (part.text == texts[name]) is (part.missing == "")
        patched = PatchSet(part.text.decode())
        assert len(patched) == bool(part.text)
        for file in patched:
            assert sum(len(hunk) for hunk in file) == sum(part.text.count(b"\n" + sign) for sign in (b"+", b"-", b" ")) - 1 - part.text.count(b"\n---")  # fmt: skip
