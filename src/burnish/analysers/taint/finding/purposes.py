"""What something is for, by its words: a number that can be guessed is wrong as a token, not as a delay."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from burnish.analysers.taint.finding import cookies
from burnish.analysers.taint.finding.judging import hurts
from burnish.analysers.taint.memory.frame import Arguments, Frame
from burnish.analysers.taint.memory.inside import parts
from burnish.analysers.taint.memory.things import Obj
from burnish.analysers.taint.memory.values import Value

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
SECRETS = frozenset({
    "token", "secret", "password", "passwd", "pwd", "passphrase", "passcode", "otp", "totp", "pin",
    "nonce", "salt", "csrf", "xsrf", "session", "sessionid", "sid", "apikey", "credential", "credentials",
    "voucher", "coupon", "invite", "invitation", "verification", "activation", "recovery", "auth",
    "authentication", "cookie", "captcha", "signature", "iv", "licence", "jwt", "cookies", "sessions",
})  # fmt: skip
# Also the name of an index or a status: a secret only where the number was not picked from something.
HALF_SECRETS = frozenset({"key", "code"})
# Whatever stands beside these is about a secret, and is none.
ABOUT = frozenset({
    "length", "len", "count", "size", "number", "num", "max", "min", "total", "timeout", "delay", "ttl",
    "age", "index", "limit", "expiry", "expires", "interval", "retries", "weight", "bytes", "chars",
    "alphabet", "type", "jitter", "backoff", "duration", "seconds", "attempts", "color", "colour",
    "sample", "position", "offset", "probability", "threshold", "rate", "status", "exit", "return",
    "country", "postal", "zip", "error", "page", "embedding", "embeddings", "mask", "logits", "vocab",
})  # fmt: skip
_PICKS = re.compile(r"\.(?:choice|sample|shuffle|uniform|gauss)$")
_HARMLESS_HASH = frozenset({
    "etag", "etags", "cache", "cached", "caching", "memo", "gravatar", "avatar", "shard", "bucket",
    "partition", "dedupe", "dedup", "deduplicate", "duplicate", "duplicates", "fingerprint", "checksum",
    "color", "colour", "identicon", "thumbnail", "slug", "revision", "modified", "changed", "variant",
    "experiment", "rollout",
})  # fmt: skip
_SECRET_HASH = frozenset({
    "password", "passwd", "pwd", "passphrase", "secret", "token", "signature", "sign", "signed", "auth",
    "credential", "credentials", "otp", "pin", "login", "hmac", "salt", "session", "verify",
})  # fmt: skip


def words(name: str) -> frozenset[str]:
    """`resetToken` and `RESET_TOKEN` are reset and token."""
    return frozenset(word.lower() for word in _WORD.findall(name))


def is_secret(name: str, value: Value) -> bool:
    found = words(name)
    if found & ABOUT:
        return False
    if found & SECRETS or any(word in name.lower() for word in ("session", "password", "csrf")):
        return True
    return bool(found & HALF_SECRETS) and not _picked(value)


def _picked(value: Value) -> bool:
    """One of several things as it is, not text made of them."""
    return all(_PICKS.search(taint.origin.what) and taint.cell.length <= 2 for taint in value.taints)


def check_name(at: Frame, name: str, value: Value, node: ast.AST, what: str) -> None:
    """A value gets a name: guessable numbers must not become secrets."""
    if not _guessable(value):
        return
    whole = parts(value)
    if is_secret(name, whole):
        _say(at, whole, node, what)


def check_inside(at: Frame, value: Value, node: ast.AST) -> None:
    """`{"token": number}` that goes somewhere."""
    for ref in value.refs:
        if isinstance(ref, Obj) and ref.kind == "dict":
            for key in ref.known_keys():
                if isinstance(key, str):
                    check_name(at, key, ref.at(key), node, key)


def _guessable(value: Value) -> bool:
    """Itself, or one of its elements; this is asked of every value that is given a name."""
    if any(taint.origin.kind == "weak" for taint in value.taints):
        return True
    for ref in value.refs:
        if isinstance(ref, Obj) and ref.kind in ("list", "tuple", "generator"):
            for one in (ref.rest(), *(ref.items() or ())):
                if any(taint.origin.kind == "weak" for taint in one.taints):
                    return True
    return False


def _say(at: Frame, value: Value, node: ast.AST, what: str) -> None:
    """At the place where the number was made: that is what has to change."""
    for taint in value.taints:
        if hurts(at, taint, "weak_random"):
            at.engine.report.found_at_source(at, "weak_random", taint, node, what)


def check_call(at: Frame, name: str, given: Arguments, node: ast.AST) -> None:
    """Given to something that is called like a secret, or under such a name."""
    for key, value in given.keywords.items():
        check_name(at, key, value, node, f"{key} of {name}")
    for value in given.positional:
        check_inside(at, value, node)
    callee = name or ""
    if any(_guessable(value) for value in given.positional + list(given.keywords.values())):
        outer = ast.unparse(node.func) if isinstance(node, ast.Call) else callee
        for value in (*given.positional, *given.keywords.values()):
            check_name(at, f"{callee} {outer}"[-80:], value, node, outer)


def hash_matters(at: Frame, given: Arguments, node: ast.AST) -> bool:
    """Whether a digest is for security: not where every word around says that it names a state of data."""
    function = at.function.node if at.function is not None else None
    scope: ast.AST | None = function if function is not None else at.module.tree
    statement = _statement(scope, node)
    near = set(_said(statement)) if statement is not None else set()
    near |= words(getattr(function, "name", ""))
    if near & _SECRET_HASH:
        return True
    if near & _HARMLESS_HASH:
        return False
    later = {word for use in _uses(scope, statement) for word in _said(use)}
    return bool(later & _SECRET_HASH) or not later & _HARMLESS_HASH


def _statement(scope: ast.AST | None, node: ast.AST) -> ast.stmt | None:
    """The innermost statement around a node."""
    found: ast.stmt | None = None
    line = getattr(node, "lineno", 0)
    for one in ast.walk(scope) if scope is not None else ():
        if isinstance(one, ast.stmt) and one.lineno <= line <= (one.end_lineno or 0) and one is not scope:
            found = one
    return found


def _said(node: ast.AST) -> Iterator[str]:
    for one in ast.walk(node):
        match one:
            case ast.Name(id=text) | ast.Attribute(attr=text) | ast.keyword(arg=str(text)):
                yield from words(text)
            case ast.Constant(value=str(text)) if len(text) < 60:
                yield from words(text)


def _uses(scope: ast.AST | None, statement: ast.stmt | None) -> Iterator[ast.stmt]:
    """Statements that use what this one assigns."""
    if scope is None or not isinstance(statement, ast.Assign | ast.AnnAssign):
        return
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    names = {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)}
    for one in ast.walk(scope):
        if not isinstance(one, ast.Assign | ast.AnnAssign | ast.Return | ast.Expr) or one is statement:
            continue
        if any(isinstance(inner, ast.Name) and inner.id in names for inner in ast.walk(one)):
            yield one


CHECKS: dict[str, Callable[[Frame, Arguments, ast.AST], bool]] = {
    "hash": hash_matters,
    "cookie": cookies.is_insecure,
}
