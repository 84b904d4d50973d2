"""A megabyte each of what is hard to read: for every parser, and for those of one format."""

from __future__ import annotations

N = 1_000_000


def sized(piece: str, size: int = N) -> str:
    return (piece * (size // len(piece.encode("utf8", "surrogatepass")) + 1))[:size]


def general() -> dict[str, str]:
    """Anything that says it is text."""
    pieces = {
        "letters": "x", "spaces": " ", "newlines": "\n", "returns": "\r", "tabs": "\t", "NUL": "\0", "zero width": "\u200b", "escapes": "\x1b[0m",
        "half escapes": "\x1b]0;", "right to left": "\u202e", "lone surrogates": "\ud800", "emoji": "\U0001f600", "combining": "e\u0301",
        "braces": "{", "closing braces": "}", "brackets": "[", "quotes": '"', "backslashes": "\\", "backticks": "`", "stars": "*", "hashes": "#",
        "quote marks": "> ", "quote lines": "> \n", "fences": "```\n", "tilde fences": "~~~\n", "comments": "<!--", "tags": "<q>a</q>",
        "code": "a`", "double code": "`a``", "details": "<details>", "hunks": "@@ -1 +1 @@\n", "lists": "- 1. - ", "lines": "a\n",
        "labels": "**Verdict:", "verdicts": "**Verdict: APPROVED**\n", "grades": "## Grade: PASS\n", "headings": "## Verdict\n", "must-fix": "## Must-Fix\n- a\n",
        "empty objects": "{}", "deep objects": '{"a":', "deep lists": "[[", "objects": '{"verdict":"pass","followUpPrompt":"x"}\n',
        "loop results": '{"loopId":"r","passed":true}', "reports": '{"findings":[{}]}', "broken strings": '{"x', "odd strings": '{x"', "escaped": '{"a":"\\',
        "links": "[a](b) ", "pipes": "| a ", "numbers": "1234567890", "diff lines": "+a\n-b\n",
    }  # fmt: skip
    texts = {name: sized(piece) for name, piece in pieces.items()}
    texts["deep and closed"] = '{"a":' * (N // 6) + "1" + "}" * (N // 6)
    texts["many keys"] = "{" + ",".join(f'"k{number}":1' for number in range(90_000)) + "}"
    texts["the same key"] = "{" + ",".join('"k":1' for _ in range(150_000)) + "}"
    texts["big number"] = '{"verdict":"pass","followUpPrompt":"ok","n":' + "9" * N + "}"
    texts["long fence"] = "`" * (N // 2) + "\n" + "`" * (N // 2)
    texts["fence and spaces"] = "```json" + " " * N
    texts["spaces in a verdict"] = "**Verdict: APPROVED" + " " * N + "x"
    texts["many findings"] = (
        '{"findings":[' + ",".join('{"severity":"high","title":"a"}' for _ in range(30_000)) + "]}"
    )
    texts["long words"] = "a" * (N // 2) + "." + "b" * (N // 2)
    return texts


def toml() -> dict[str, str]:
    pieces = {
        "dotted key": "a.", "nested lists": "[", "nested tables": "{a=", "tables": "[a]\n", "table arrays": "[[step]]\n", "steps": '[[step]]\nrole="x"\n',
        "open string": '"""', "escapes": '"\\u0041', "comments": "# x\n", "dates": "a=1979-05-27T07:32:00Z\n", "quotes": "'",
    }  # fmt: skip
    texts = {name: sized(piece) for name, piece in pieces.items()}
    texts["dotted key, closed"] = sized("a.")[:-1] + "b=1"
    texts["many keys"] = "\n".join(f"k{number}=1" for number in range(100_000))
    texts["many deep tables"] = "\n".join("[" + f"t{number}." * 60 + "x]" for number in range(3000))
    texts["deep dotted keys"] = "\n".join("a." * 200 + f"k{number}=1" for number in range(2000))
    texts["long number"] = "a=" + "9" * N
    texts["one long string"] = 'a="' + "x" * N + '"'
    return texts


def yaml() -> dict[str, str]:
    pieces = {
        "flow lists": "[", "flow maps": "{a: ", "block lists": "- ", "keys": "a: b\n", "anchors": "- &a [x]\n", "aliases": "- *a\n", "tags": "!!python/name:os ",
        "documents": "---\n", "plain": "word ", "quoted": '"\\x41', "merge": "<<: {a: b}\n", "block text": "a: |\n  x\n", "questions": "? a\n",
    }  # fmt: skip
    texts = {name: sized(piece) for name, piece in pieces.items()}
    texts["many keys"] = "\n".join(f"k{number}: 1" for number in range(90_000))
    texts["deep indent"] = "\n".join(" " * depth + "a:" for depth in range(1300))
    texts["short lists"] = "a: [" + "1," * 400_000 + "1]"
    return texts


def listing() -> dict[bytes | str, bytes]:
    """What `ls-files -z -s -t` says of hostile names."""
    blob = b"100644 " + b"a" * 40 + b" 0\t"
    return {
        "short names": b"".join(b"H " + blob + b"%d\0" % number for number in range(18_000)),
        "untracked": b"".join(b"? %d\0" % number for number in range(120_000)),
        "changed": b"".join(b"C " + blob + b"%d\0" % number for number in range(18_000)),
        "one name": b"? " + b"x" * N + b"\0",
        "deep name": b"? " + b"a/" * (N // 2) + b"\0",
        "tabs and newlines": b"".join(b"H " + blob + b"\t\n \xff%d\0" % number for number in range(17_000)),
        "stages": b"".join(
            b"M 100644 " + b"a" * 40 + b" %d\tx\0" % (number % 3 + 1) for number in range(18_000)
        ),
    }


def raw_diff() -> dict[bytes | str, bytes]:
    about = b":100644 100644 " + b"a" * 40 + b" " + b"b" * 40
    return {
        "short names": b"".join(about + b" M\0%d\0" % number for number in range(9500)),
        "renames": b"".join(about + b" R100\0%d\0n%d\0" % (number, number) for number in range(9000)),
        "colons": b"".join(about + b" M\0:%d:\0" % number for number in range(9500)),
        "one name": about + b" A\0" + b"\xff" * N + b"\0",
    }


def diff_text() -> dict[bytes | str, bytes]:
    return {
        "headers": b"diff --git a/x b/x\n" * (N // 19),
        "one line": b"+" + b"x" * N,
        "empty lines": b"\n" * N,
        "headers in content": b"+diff --git a/x b/x\n" * (N // 20),
        "returns": b"\rdiff --git " * (N // 12),
    }


def names() -> dict[bytes | str, bytes]:
    pieces = (b"x", b"/", b"\\", b".git", b"git~1:", b"\xff", "\u200c".encode(), b"..", b"\x1b[2J", b"\n", b" ", b"git~" + b"9" * 50, b".")  # fmt: skip
    return {repr(piece): (piece * (N // len(piece) + 1))[:N] for piece in pieces}
