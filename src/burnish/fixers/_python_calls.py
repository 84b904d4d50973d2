"""Repairs of calls in Python: what is passed, or what is called."""

from __future__ import annotations

import ast
import re
import shlex

from burnish.fixers._python import (
    Edit,
    Module,
    NotRepaired,
    arguments,
    dotted,
    keyword,
    with_keyword,
    without_argument,
)

TIMEOUT_S = 30
REQUESTS = {f"requests.{verb}" for verb in "get post put patch delete head options request".split()}  # noqa: SIM905
SAFE_YAML = {
    "load": "safe_load",
    "unsafe_load": "safe_load",
    "full_load": "safe_load",
    "load_all": "safe_load_all",
    "unsafe_load_all": "safe_load_all",
    "full_load_all": "safe_load_all",
}
STARTS = {f"subprocess.{name}" for name in ("run", "call", "check_call", "check_output", "Popen")}
# What only a shell understands, or does differently.
_SHELL = re.compile(r"[|&;<>()$`\\\"'*?\[\]~#!{}\n%^]|^\s*\w+=")
_BUILTINS = frozenset(
    "cd export source . set unset exit eval exec alias umask ulimit wait trap read type history".split()  # noqa: SIM905
)
_HARMLESS = re.compile(
    r"(?i)etag|checksum|cache|fingerprint|dedup|bucket|shard|color|colour|gravatar|file_?hash"
)
_SECURITY = re.compile(
    r"(?i)passw|token|secret|sign|auth|hmac|crypt|credential|session|csrf|nonce|otp|verify|cert|integrity|login"
)


def call_of(module: Module, names: set[str] | frozenset[str]) -> ast.Call:
    """The innermost call of one of these on the finding's line."""
    for call in module.here(ast.Call):
        if dotted(call.func) in names:
            return call
    raise NotRepaired("there is no such call on that line")


def safe_yaml(module: Module) -> list[Edit]:
    """yaml.load(data, Loader=...) to yaml.safe_load(data)."""
    call = call_of(module, {f"yaml.{name}" for name in SAFE_YAML})
    assert isinstance(call.func, ast.Attribute)
    end = module.end(call.func)
    edits = [Edit(end - len(call.func.attr), end, SAFE_YAML[call.func.attr])]
    given = arguments(module, call)
    if len(given) > 2 or any(isinstance(one, ast.Starred) for one in given):
        raise NotRepaired("it is called in an unusual way")
    loader = keyword(call, "Loader") or (call.args[1] if len(call.args) > 1 else None)
    if len(given) == 2 and loader is None:
        raise NotRepaired("it is called in an unusual way")
    return [*edits, *(without_argument(module, call, loader) if loader else ())]


def request_timeout(module: Module) -> list[Edit]:
    """requests.get(url) to requests.get(url, timeout=30)."""
    call = call_of(module, REQUESTS)
    given = keyword(call, "timeout")
    if given is not None:
        if isinstance(given.value, ast.Constant) and given.value.value is None:
            return [Edit(module.start(given.value), module.end(given.value), str(TIMEOUT_S))]
        raise NotRepaired("it has a timeout")
    return with_keyword(module, call, f"timeout={TIMEOUT_S}")


def verified_tls(module: Module) -> list[Edit]:
    """requests.get(url, verify=False) to requests.get(url), and an unverified context to the default one."""
    for call in module.here(ast.Call):
        given = keyword(call, "verify")
        if given is not None and isinstance(given.value, ast.Constant) and given.value.value is False:
            return without_argument(module, call, given)
        if dotted(call.func) == "ssl._create_unverified_context":
            return [Edit(module.start(call.func), module.end(call.func), "ssl.create_default_context")]
    raise NotRepaired("verify=False is not on that line")


def without_debugger(module: Module) -> list[Edit]:
    """app.run(debug=True) to app.run()."""
    for call in module.here(ast.Call):
        given = keyword(call, "debug")
        if given is not None and isinstance(given.value, ast.Constant) and given.value.value is True:
            return without_argument(module, call, given)
    raise NotRepaired("debug=True is not on that line")


def private_temporary(module: Module) -> list[Edit]:
    """tempfile.mktemp(suffix) to a name in a folder that only we may enter."""
    call = call_of(module, {"tempfile.mktemp"})
    named = {"suffix": "", "prefix": "", "dir": ""}
    for name, value in zip(named, call.args, strict=False):
        named[name] = module.source(value)
    for one in call.keywords:
        if one.arg not in named:
            raise NotRepaired("it is called in an unusual way")
        named[one.arg] = module.source(one.value)
    if len(call.args) > len(named) or any(isinstance(one, ast.Starred) for one in call.args):
        raise NotRepaired("it is called in an unusual way")
    passed = ", ".join(f"{name}={named[name]}" for name in ("prefix", "dir") if named[name])
    last = f'"tmp" + {named["suffix"]}' if named["suffix"] else '"tmp"'
    written = f"os.path.join(tempfile.mkdtemp({passed}), {last})"
    return [Edit(module.start(call), module.end(call), written), *module.importing("os")]


def not_for_security(module: Module) -> list[Edit]:
    """hashlib.md5(data) with usedforsecurity=False, where the names around it say that it is a checksum."""
    call = call_of(module, {"hashlib.md5", "hashlib.sha1"})
    words = module.text[module.starts[call.lineno - 1] : module.end(call)]
    for node in module.above(call):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            words += f" {node.name}"
    if _SECURITY.search(words) or not _HARMLESS.search(words):
        raise NotRepaired("it may be there for security")
    return with_keyword(module, call, "usedforsecurity=False")


def without_shell(module: Module) -> list[Edit]:
    """subprocess.run("ls -l", shell=True) to subprocess.run(["ls", "-l"])."""
    call = call_of(module, STARTS)
    shell = keyword(call, "shell")
    if shell is None or not call.args or not _is_true(shell.value):
        raise NotRepaired("there is no shell=True")
    words = _constant_words(call.args[0])
    first = call.args[0]
    return [
        Edit(module.start(first), module.end(first), words),
        *without_argument(module, call, shell),
    ]


def without_system(module: Module) -> list[Edit]:
    """os.system("ls -l") as a statement to subprocess.run(["ls", "-l"], check=False)."""
    call = call_of(module, {"os.system"})
    if not isinstance(module.parents[call], ast.Expr) or len(call.args) != 1 or call.keywords:
        raise NotRepaired("its result is used")
    words = _constant_words(call.args[0])
    return _started(module, call, words)


def shell_to_list(module: Module) -> list[Edit]:
    """The same for a command with values in it: each value becomes one argument, whatever is in it."""
    for call in module.here(ast.Call):
        name = dotted(call.func)
        if not call.args or not isinstance(call.args[0], ast.JoinedStr):
            continue
        words = _value_words(call.args[0])
        shell = keyword(call, "shell")
        if name in STARTS and shell is not None and _is_true(shell.value):
            first = call.args[0]
            return [
                Edit(module.start(first), module.end(first), words),
                *without_argument(module, call, shell),
            ]
        if name == "os.system" and isinstance(module.parents[call], ast.Expr):
            return _started(module, call, words)
    raise NotRepaired("there is no such command on that line")


def filtered_archive(module: Module) -> list[Edit]:
    """archive.extractall(path) to archive.extractall(path, filter="data")."""
    for call in module.here(ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr == "extractall":
            if keyword(call, "filter") is not None:
                break
            return with_keyword(module, call, 'filter="data"')
    raise NotRepaired("there is no extractall without a filter on that line")


def _started(module: Module, call: ast.Call, words: str) -> list[Edit]:
    written = f"subprocess.run({words}, check=False)"
    return [Edit(module.start(call), module.end(call), written), *module.importing("subprocess")]


def _is_true(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def _constant_words(node: ast.expr) -> str:
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        raise NotRepaired("the command is not a constant")
    words = shlex.split(node.value) if not _SHELL.search(node.value) else []
    if not words or words[0] in _BUILTINS:
        raise NotRepaired("the command needs a shell")
    return "[" + ", ".join(f'"{word}"' for word in words) + "]"


def _value_words(node: ast.JoinedStr) -> str:
    """The words of an f-string, split where the constant parts have spaces."""
    words: list[list[ast.FormattedValue | str]] = [[]]
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            words[-1].append(part)
            continue
        assert isinstance(part, ast.Constant)
        text = str(part.value)
        if _SHELL.search(text):
            raise NotRepaired("the command needs a shell")
        first, *others = re.split(r"[ \t]+", text)
        words[-1] += [first] if first else []
        words += [[other] if other else [] for other in others]
    told = [_word(word) for word in words if word]
    if not told or not isinstance(words[0][0] if words[0] else None, str):
        raise NotRepaired("a value decides which program runs")
    return "[" + ", ".join(told) + "]"


def _word(word: list[ast.FormattedValue | str]) -> str:
    if all(isinstance(part, str) for part in word):
        return '"' + "".join(str(part) for part in word) + '"'
    written = ""
    for part in word:
        if isinstance(part, str):
            written += part
        elif part.conversion != -1 or part.format_spec is not None:
            raise NotRepaired("a value is formatted")
        else:
            # Before Python 3.12 the places of what stands in an f-string cannot be trusted.
            inside = ast.unparse(part.value)
            if '"' in inside or "\\" in inside or "{" in inside:
                raise NotRepaired("a value is not a plain one")
            written += "{" + inside + "}"
    return f'f"{written}"'
