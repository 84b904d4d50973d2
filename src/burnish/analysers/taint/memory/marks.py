"""What is known of the characters of an untrusted text, and which classes of flaws that rules out.

Guards and sanitizers leave marks beside the classes that a taint is clean for: `no:'` when that character
cannot be in it, `begins:/` for how it begins, `is:resolved` for a path without `..` that is not checked yet.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from burnish.analysers.taint.memory.values import HARMLESS_MARKS, HOLE, TAINTED, WORD, External, Fact, Value

SPECIAL = "'\"`;|&$<>(){}[]*?!~#\\ \t\n\r/.:,=@%+^"
UP = ".."
NONE_OF_THEM = frozenset(f"no:{character}" for character in (*SPECIAL, UP))
PLAIN = frozenset({WORD})
CHECKED = "is:checked"
# One of ours, none of which is empty.
FILLED = "is:filled"
RESOLVED = "is:resolved"
JOINED = "is:joined"
ROOTED = "is:rooted"
# One word for a shell, with quotes of its own around it where it needs some.
QUOTED = "is:quoted"

# Before a mark that an `assert` found out: `python -O` runs without it.
ASSERTED = "assert:"

# Of an address, as `urlparse` reads it: no host, or one of ours; no scheme.
NO_HOST, NO_SCHEME = "no:host", "no:scheme"

MARKUP = "markupsafe.Markup"
_AS_MARKUP = "is:markup"
_ESCAPED = frozenset({"xss", "no:<", "no:>", "no:'", 'no:"'})
_SHELL = frozenset(f"no:{character}" for character in ";|&$`<>(){}!*?#~\n'\"\\")
_SQL = frozenset(f"no:{character}" for character in "'\";()= \t\n*/`\\")
_LDAP = frozenset(f"no:{character}" for character in "*()\\")
_LDAP_DN = frozenset(f"no:{character}" for character in ',+"\\<>;=')
_XPATH = frozenset(f"no:{character}" for character in "'\"[]()/=|@* ")
_HOST = frozenset(f"no:{character}" for character in "/\\?#@:")
# Attributes of HTML whose value is an address: escaping leaves `javascript:` as it is.
_ADDRESS = re.compile(rf"(?:href|src|action|formaction|data)\s*=\s*[\"']?{TAINTED}", re.IGNORECASE)
# A word that is run itself, or that another program takes as code.
_SECOND_SHELL = re.compile(
    rf"(?:^|[;|&`]|\$\()\s*{TAINTED}|(?:\b(?:ba|z|da|k|c)?sh\s+-\w*c\s|\beval\s|\bsu\s[^|;&]*-c\s"
    rf"|\b(?:python[\d.]*|perl|ruby|node|php)\s+-\w*[cer]\s|\bssh\s+(?:-\S+\s+)*[^\s-]\S*\s)[^|;&]*{TAINTED}"
)
_INSIDE_TAG = re.compile(rf"<[^<>]*{TAINTED}")


def without(characters: Iterable[str]) -> frozenset[str]:
    return frozenset(f"no:{character}" for character in characters)


def only(allowed: Iterable[str]) -> frozenset[str]:
    """The marks of a text that has no other special characters than these."""
    some = set(allowed)
    marks = frozenset(f"no:{character}" for character in SPECIAL if character not in some)
    if "." not in some:
        marks |= {f"no:{UP}"}
    return PLAIN if marks >= NONE_OF_THEM else marks


def asserted(facts: frozenset[Fact]) -> frozenset[Fact]:
    return frozenset((key, ASSERTED + mark.removeprefix(ASSERTED)) for key, mark in facts)


def with_asserts(clean: frozenset[str]) -> frozenset[str]:
    """What is known where every `assert` is run."""
    return clean | {mark.removeprefix(ASSERTED) for mark in clean}


def rules_out(flaw: str, marks: frozenset[str], shape: str) -> bool:
    """Whether a text with these marks cannot hurt there; `shape` is the whole text it stands in."""
    rule = _RULES.get(flaw)
    return rule is not None and rule(marks, shape)


def lead(shape: str) -> str:
    """What stands before the first untrusted part."""
    return shape.partition(TAINTED)[0]


def _quote(shape: str) -> str:
    """The quote that every untrusted part stands in; empty where one stands outside of quotes."""
    found: set[str] = set()
    open_quote = ""
    for character in shape:
        if character == TAINTED:
            found.add(open_quote)
        elif character in "'\"" and open_quote in ("", character):
            open_quote = "" if open_quote else character
    return found.pop() if len(found) == 1 else ""


def _shell(marks: frozenset[str], shape: str) -> bool:
    return marks >= _SHELL


def _quoted_or(unquoted: frozenset[str], marks: frozenset[str], shape: str) -> bool:
    quote = _quote(shape)
    return (bool(quote) and f"no:{quote}" in marks) or marks >= unquoted


def _path(marks: frozenset[str], shape: str) -> bool:
    """No way up, and no beginning at the root where that would replace the folder of ours."""
    if "no:/" in marks:
        return True
    up = "no:.." in marks or "no:." in marks
    begins_inside = JOINED not in marks and bool(lead(shape).strip(HOLE) or HOLE in lead(shape))
    return up and (begins_inside or "no:absolute" in marks)


def _page(marks: frozenset[str], shape: str) -> bool:
    if "no:<" not in marks:
        return False
    if _ADDRESS.search(shape):
        return bool(marks & {"begins:http", "begins:/", "no::"})
    return not _INSIDE_TAG.search(shape) or marks >= {"no:'", 'no:"'} or "xss" in marks


def _redirect(marks: frozenset[str], shape: str) -> bool:
    if "no:/" in marks and ("no::" in marks or lead(shape)):
        return True
    if NO_HOST in marks and marks & {NO_SCHEME, "begins:/", "no::"}:
        # Without that it may be `https:///host`, which has no host for Python and one for a browser.
        return True
    return "begins:/" in marks and "not:begins://" in marks


def _request(marks: frozenset[str], shape: str) -> bool:
    return marks >= _HOST and len(shape) > 1


def _code(marks: frozenset[str], shape: str) -> bool:
    """Nothing that calls or looks up; or what is nothing but a text in quotes."""
    if marks >= {"no:(", "no:.", "no:["}:
        return True
    return any({f"begins:{quote}", f"ends:{quote}", f"inside:no:{quote}"} <= marks for quote in "'\"")


_RULES: dict[str, Callable[[frozenset[str], str], bool]] = {
    "command": _shell,
    "sql": lambda marks, shape: _quoted_or(_SQL, marks, shape),
    "xpath": lambda marks, shape: _quoted_or(_XPATH, marks, shape),
    "path": _path,
    "ldap": lambda marks, shape: marks >= _LDAP,
    "ldap:dn": lambda marks, shape: marks >= _LDAP_DN,
    "xss": _page,
    "redirect": _redirect,
    "ssrf": _request,
    "log": lambda marks, shape: "no:\n" in marks,
    "code": _code,
    "trust_boundary": lambda marks, shape: CHECKED in marks,
}


def still_an_address(marks: frozenset[str], shape: str) -> bool:
    """Escaped for HTML, and still what a browser follows: `<a href="{escaped}">`."""
    return bool(_ADDRESS.search(shape)) and not marks & {"begins:http", "begins:/", "no::"}


def quoted_twice(marks: frozenset[str], shape: str) -> bool:
    """Quoted as one word of a shell, and put where that ends the quotes around it, or to a second shell."""
    if QUOTED not in marks or _shell(marks, shape):
        return False
    return second_shell(shape) or any(_quotes_around(shape))


def second_shell(shape: str) -> bool:
    """Whether an untrusted word is the program itself, or is code for another one."""
    return bool(_SECOND_SHELL.search(shape))


def taken_apart(value: Value) -> Value:
    """A part of a quoted word, or one that was changed, may have lost its quotes."""
    if not any(QUOTED in taint.clean for taint in value.taints):
        return value
    taints = tuple(
        replace(taint, clean=taint.clean - {QUOTED, "command"}) if QUOTED in taint.clean else taint
        for taint in value.taints
    )
    return replace(value, taints=taints)


def put_back(value: Value, old: str, new: str) -> Value:
    """`replace(old, new)` may bring what somebody has taken out: `replace("&lt;", "<")`."""
    lost = {f"no:{character}" for character in new if character not in "<>"}
    if "&" in old:
        lost |= {"xss", *(f"no:{character}" for character in new)}
    if set(new) & set("/\\"):
        lost.add("path")
    if not any(taint.clean & lost for taint in value.taints):
        return value
    return replace(value, taints=tuple(replace(one, clean=one.clean - lost) for one in value.taints))


def _quotes_around(shape: str) -> Iterator[str]:
    """For each untrusted part the quote that is open there, as a shell reads it."""
    quote, escaped_now, around, before = "", False, list[str](), ""
    for character in shape:
        if character == TAINTED:
            yield quote
        elif before == "$" and character == "(" and quote != "'":
            # A command of its own inside of another, with quotes of its own.
            around.append(quote)
            quote = ""
        elif character == ")" and around and not quote:
            quote = around.pop()
        elif not escaped_now and character in "'\"" and quote in ("", character):
            quote = "" if quote else character
        before = character
        escaped_now = character == "\\" and not escaped_now and quote != "'"


def out_of_place(value: Value) -> Value:
    """Escaped for the text of a page, and put into a tag: whoever takes the page apart will not see it."""
    if value.shape.count(TAINTED) != 1 or not _INSIDE_TAG.search(value.shape):
        return value
    taints = tuple(
        replace(taint, clean=taint.clean - {"xss", "no:<"})
        if taint.clean & {"xss", "no:<"} and not _page_safe(taint.clean, value.shape)
        else taint
        for taint in value.taints
    )
    return replace(value, taints=taints)


def _page_safe(clean: frozenset[str], shape: str) -> bool:
    if "xss" in clean:
        return not still_an_address(clean, shape)
    return not clean.isdisjoint(HARMLESS_MARKS) or _page(clean, shape)


def escaped(value: Value) -> Value:
    """As `Markup` takes what is added to it."""
    taints = tuple(replace(taint, clean=taint.clean | _ESCAPED) for taint in value.taints)
    return replace(value, taints=taints) if taints else value


def is_markup(value: Value) -> bool:
    return any(isinstance(ref, External) and ref.name == MARKUP for ref in value.refs)


def as_markup(value: Value) -> Value:
    """`Markup(text)`: a text whose methods escape what they are given, and not what it is."""
    return replace(value, taints=tuple(replace(one, clean=one.clean | {_AS_MARKUP}) for one in value.taints))


def may_be_markup(value: Value) -> bool:
    return is_markup(value) or any(_AS_MARKUP in taint.clean for taint in value.taints)


def joined(value: Value) -> Value:
    """As a later part of a path: one that begins at the root would replace the folder before it."""
    taints = tuple(replace(taint, clean=taint.clean | {JOINED}) for taint in value.taints)
    return replace(value, taints=taints) if taints else value
