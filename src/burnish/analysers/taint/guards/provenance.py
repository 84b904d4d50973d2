"""Values that a guard asks in place of another: the host of an address, a path with its `..` resolved.

Such a value is a step with a key of its own; a guard on it speaks of what stands before that step.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from burnish.analysers.taint.memory.conditions import NO_FACTS, When
from burnish.analysers.taint.memory.facts import SIGNED
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.inside import parts
from burnish.analysers.taint.memory.marks import (
    MARKUP,
    NO_HOST,
    NO_SCHEME,
    RESOLVED,
    ROOTED,
    escaped,
    is_markup,
    lead,
    without,
)
from burnish.analysers.taint.memory.things import sequence
from burnish.analysers.taint.memory.values import (
    HOLE,
    TAINTED,
    UNKNOWN,
    Cell,
    External,
    Fact,
    Key,
    Taint,
    Value,
    join_all,
    of,
)

ADDRESS = frozenset({"redirect", "ssrf"})
PATH = frozenset({"path"})
NO_HOST_OF_OTHERS = frozenset({NO_HOST, "weak:redirect"})
_HOSTS = frozenset({".netloc", ".hostname", ".host", ".authority"})
_SCHEME = frozenset({".scheme"})
_SIGNED_FOR = frozenset({
    "deserialisation", "trust_boundary", "path", "redirect", "ssrf", "code", "command", "sql", SIGNED,
})  # fmt: skip


def behind(taint: Taint, *tags: str) -> Key | None:
    """The key of what the last such step was made of."""
    cell: Cell | None = taint.cell
    while cell:
        if len(cell.key) == 2 and cell.key[1] in tags and isinstance(cell.key[0], tuple):
            return cell.key[0]
        cell = cell.before
    return None


def speaks_of(value: Value, flaws: Iterable[str], *tags: str) -> frozenset[Fact]:
    """That what these values stand for is safe for these classes."""
    wanted = tuple(flaws)
    keys = [key for taint in value.taints if (key := behind(taint, *tags)) is not None]
    return frozenset((key, flaw) for key in keys for flaw in wanted)


def host_facts(value: Value, allowed: Collection[object] | None = None) -> frozenset[Fact]:
    """Of the address that this is the host of, where it is one of ours; it may be one without a host.

    Without any of `allowed` but the empty text, a scheme is told of as well.
    """
    if allowed is None or all(allowed):
        return _of_address(value, ADDRESS | NO_HOST_OF_OTHERS, _HOSTS)
    found = _of_address(value, NO_HOST_OF_OTHERS, _HOSTS)
    return found if any(allowed) else found | _of_address(value, frozenset({NO_SCHEME}), _SCHEME)


def _of_address(value: Value, marks: frozenset[str], parts_of: frozenset[str]) -> frozenset[Fact]:
    keys = [behind(taint, "url") for taint in value.taints if behind(taint, *parts_of) is not None]
    return frozenset((key, mark) for key in keys if key is not None for mark in marks)


def path_facts(value: Value, flaws: frozenset[str] = PATH) -> frozenset[Fact]:
    """Of a path that was resolved, and of what it was resolved from; nothing of one that was not."""
    found: set[Fact] = set()
    for taint in value.taints:
        if RESOLVED in taint.clean:
            key = behind(taint, "resolved")
            found |= {(one, flaw) for one in (taint.cell.key, key) if one is not None for flaw in flaws}
            found |= {(one, mark) for one in _made_of(taint) for mark in ("no:..", "no:absolute")}
    return frozenset(found)


def _made_of(taint: Taint) -> list[Key]:
    """What was joined before it was resolved: that does not lead out either, wherever it is joined again."""
    cell: Cell | None = taint.cell
    while cell and cell.key[1:] != ("resolved",):
        cell = cell.before
    cell = cell.before if cell else None
    found: list[Key] = []
    while cell:
        found.append(cell.key)
        # Data of its own, and no longer something that was made of it.
        if len(cell.key) != 1:
            break
        cell = cell.before
    return found


def marked(at: Frame, value: Value, node: ast.AST, tag: str, clean: frozenset[str] = frozenset()) -> Value:
    """The value as a step with a key of its own."""
    stepped = at.step(value, node, key=(tag,))
    taints = tuple(replace(taint, clean=taint.clean | clean) for taint in stepped.taints)
    return replace(stepped, taints=taints, consts=None, when=None)


def is_a(value: Value, name: str) -> bool:
    return any(isinstance(ref, External) and ref.name == name for ref in value.refs)


def _path_of(receiver: Value | None, given: Arguments) -> Value:
    """Of `path.resolve()` and of `os.path.realpath(path)`."""
    if receiver is not None and is_a(receiver, "pathlib.Path"):
        return receiver
    return given.get(0) or UNKNOWN


def _resolved(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    value = _path_of(receiver, given)
    if not value.taints:
        return value
    rooted = {ROOTED} if lead(value.shape) == "/" else set()
    return marked(at, value, node, "resolved", frozenset({RESOLVED, *rooted}))


def _relative(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    return marked(at, given.get(0) or UNKNOWN, node, "resolved", frozenset({RESOLVED, "is:relative"}))


def _address(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    value = given.get(0) or given.get("url") or UNKNOWN
    stepped = marked(at, value, node, "url")
    shape = TAINTED if value.taints else HOLE
    return Value(stepped.taints, None, (External("urllib.parse.ParseResult"),), shape, value.sure)


def _beside(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    """`urljoin(base, address)`: the address as a browser would read it there."""
    base, value = given.get(0) or UNKNOWN, given.get(1) or given.get("url") or UNKNOWN
    taints = (*at.step(value, node).taints, *base.taints)
    return Value(taints, None, (), TAINTED if taints else HOLE, base.sure and value.sure)


def _markup(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    """`Markup(...).format(value)` and `.join(values)` escape what they are given."""
    values = [one if is_markup(one) else escaped(parts(one)) for one in given.all()]
    taints = at.passed(*([receiver] if receiver is not None else []), *values, node=node)
    sure = all(value.sure for value in values)
    return Value(taints, None, (External(MARKUP),), TAINTED if taints else HOLE, sure)


def _mac(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    value = given.get(1) or given.get("msg") or UNKNOWN
    stepped = marked(at, value, node, "mac")
    return Value(
        stepped.taints, None, (External("hmac.HMAC"),), TAINTED if stepped.taints else HOLE, value.sure
    )


def _digest(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    return Value(receiver.taints, None, (), TAINTED, receiver.sure) if receiver is not None else UNKNOWN


def _compared(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    """`hmac.compare_digest`: what our key has signed is ours; what equals something of ours is that."""
    facts = NO_FACTS
    for value in given.positional[:2]:
        facts |= speaks_of(value, _SIGNED_FOR, "mac")
    return Value(sure=True, when=(facts, NO_FACTS))


def _common(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    value = join_all(_elements(given.get(0) or UNKNOWN))
    taints = tuple(taint for taint in value.taints if RESOLVED in taint.clean)
    if not taints or len(taints) != len(value.taints):
        return Value(at.passed(value, node=node), shape=TAINTED if value.taints else HOLE)
    return marked(at, Value(taints, shape=TAINTED, sure=value.sure), node, "common")


def _elements(value: Value) -> list[Value]:
    everything = [ref.everything() for ref in value.refs if hasattr(ref, "everything")]
    return everything or [value]


def _split(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    """`os.path.split` and `splitext`: what stands behind the last separator has none."""
    value = given.get(0) or UNKNOWN
    head, tail = (at.step(value, node, key=(f"[{place}]",)) for place in ("first", "last"))
    tail = replace(tail, taints=tuple(replace(t, clean=t.clean | without("/")) for t in tail.taints))
    shape = TAINTED if value.taints else HOLE
    parts_of = (Value(one.taints, shape=shape, sure=value.sure) for one in (head, tail))
    return of(sequence("tuple", tuple(parts_of)))


def _inside(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    """`path.is_relative_to(folder)`."""
    facts = path_facts(receiver) if receiver is not None else NO_FACTS
    return Value(sure=True, when=(facts, NO_FACTS))


def _inside_or_raise(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    if receiver is None:
        return UNKNOWN
    at.heap.assume(path_facts(receiver))
    return receiver


def _absolute(at: Frame, receiver: Value | None, given: Arguments, node: ast.AST) -> Value:
    value = _path_of(receiver, given)
    facts = frozenset((taint.cell.key, "no:absolute") for taint in value.taints)
    return Value(sure=value.sure, when=(NO_FACTS, facts))


def read(at: Frame, holder: Value, name: str, found: Value) -> Value:
    """An attribute: what its truth says, and what reading it leaves out."""
    if not found.taints:
        return found
    key = f".{name}"
    if key in _HOSTS | _SCHEME and any(behind(taint, "url") is not None for taint in holder.taints):
        return replace(found, when=(NO_FACTS, host_facts(found, ("",))))
    if name in ("is_private", "is_loopback", "is_reserved", "is_link_local"):
        return replace(found, when=(NO_FACTS, _of_machine(found)))
    if name == "is_global":
        return replace(found, when=(_of_machine(found), NO_FACTS))
    clean = frozenset[str]()
    for ref in holder.refs:
        if isinstance(ref, External):
            for sanitizer in at.engine.known.sanitizers.get(f"{ref.name}.{name}", ()):
                clean |= sanitizer.clean
    if name == "parent" and is_a(holder, "pathlib.Path"):
        return replace(found, refs=(External("pathlib.Path"),), shape=holder.shape)
    if not clean:
        return found
    return replace(found, taints=tuple(replace(t, clean=t.clean | clean) for t in found.taints))


def _of_machine(value: Value) -> frozenset[Fact]:
    keys = [taint.cell.key for taint in value.taints]
    return frozenset((key[0], "ssrf") for key in keys if len(key) == 2 and isinstance(key[0], tuple))


def contained_path(left: Value, right: Value) -> When | None:
    """`folder in path.parents` and `".." in path.parts`."""
    if left.taints or not right.taints:
        return None
    if any(behind(taint, ".parents") is not None for taint in right.taints):
        return path_facts(right), NO_FACTS
    if left.text == ".." and any(behind(taint, ".parts") is not None for taint in right.taints):
        return NO_FACTS, speaks_of(right, without(("..",)), ".parts")
    return None


Model = Callable[[Frame, Value | None, Arguments, ast.AST], Value]
_RESOLVING = (
    "os.path.realpath", "os.path.abspath", "os.path.normpath", "posixpath.normpath", "pathlib.Path.resolve",
    "pathlib.Path.absolute", "os.path.expanduser", "posixpath.realpath", "posixpath.abspath",
)  # fmt: skip
_PARSING = (
    "urllib.parse.urlparse", "urllib.parse.urlsplit", "urlparse.urlparse", "urllib3.util.parse_url",
    "furl.furl", "rfc3986.urlparse", "werkzeug.urls.url_parse", "yarl.URL", "httpx.URL",
)  # fmt: skip
FUNCTIONS: dict[str, Model] = {
    **dict.fromkeys(_RESOLVING, _resolved),
    **dict.fromkeys(_PARSING, _address),
    "os.path.relpath": _relative,
    "os.path.split": _split,
    "os.path.splitext": _split,
    "posixpath.split": _split,
    "urllib.parse.urljoin": _beside,
    "markupsafe.Markup.format": _markup,
    "markupsafe.Markup.join": _markup,
    "hmac.new": _mac,
    "hmac.HMAC": _mac,
    "hmac.digest": _mac,
    "hmac.HMAC.hexdigest": _digest,
    "hmac.HMAC.digest": _digest,
    "hmac.compare_digest": _compared,
    "secrets.compare_digest": _compared,
    "django.utils.crypto.constant_time_compare": _compared,
    "os.path.commonpath": _common,
    "posixpath.commonpath": _common,
    "pathlib.Path.is_relative_to": _inside,
    "pathlib.Path.relative_to": _inside_or_raise,
    "pathlib.Path.is_absolute": _absolute,
    "os.path.isabs": _absolute,
    "posixpath.isabs": _absolute,
}
