"""What a program's command line says about its files: scripts, settings, tests, further commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "ash", "busybox", "fish"})
# What starts another program.
STARTERS = frozenset({
    "exec", "command", "env", "time", "timeout", "nice", "nohup", "stdbuf", "sudo", "xvfb-run", "ionice",
    "setsid",
    "npx", "bunx", "pnpx", "xargs", "unbuffer", "chronic", "doas", "eval", "builtin", "catchsegv",
    "script", "flock",
    "faketime", "strace", "pipx", "uvx", "rtx", "direnv", "firejail", "unshare", "setarch", "taskset",
    "chrt", "watch",
})  # fmt: skip
# `uv run X`: the word that comes between.
RUNNERS = {
    "uv": "run", "poetry": "run", "pdm": "run", "hatch": "run", "pipenv": "run", "rye": "run", "pixi": "run",
    "bundle": "exec", "coverage": "run", "kcov": "", "asdf": "exec", "mise": "exec", "dotenv": "",
    "doppler": "run",
    "conda": "run", "micromamba": "run", "nix-shell": "--run", "devbox": "run", "rbenv": "exec",
    "pyenv": "exec",
}  # fmt: skip
_INTERPRETERS = re.compile(
    r"(?:python[\d.]*|pypy[\d.]*|node|nodejs|ruby|jruby|perl|php[\d.]*|lua[\d.]*|luajit|Rscript|julia|groovy|scala|"
    r"tclsh|wish|pwsh|powershell|ts-node|tsx|elixir|escript|guile|deno|bun|swift|dart|racket|raku|osascript|kotlin|"
    r"ipython|pytest-[\w]+|iex|crystal|nim|zx)"
)
# Flags of interpreters that take a word of their own, which is no script.
_VALUED = {
    "python": ("-W", "-X", "-Q", "--check-hash-based-pycs"), "node": ("-C", "--conditions",
    "--test-name-pattern",
    "--test-reporter", "--test-reporter-destination", "--test-concurrency", "--stack-size"),
    "ruby": ("-I", "-C", "-E"),
    "perl": ("-I",), "php": ("-d", "-t", "-S", "-z"), "lua": ("-l",), "Rscript": (), "timeout": ("-k", "-s"),
    "env": ("-u", "-C", "-S"), "nice": ("-n",), "sudo": ("-u", "-g"), "xargs": ("-n", "-I", "-P", "-L"),
    "ionice": ("-c", "-n"), "flock": ("-w",),
}  # fmt: skip
_PRELOADS = ("-r", "--require", "--import", "--loader", "--experimental-loader", "--preload")
_CODE_FLAGS = ("-c", "-e", "-E", "--eval", "-p", "--print")
# Programs that run tests: what they are given are tests.
TEST_RUNNERS = frozenset({
    "pytest", "py.test", "nose2", "nosetests", "trial", "green", "mocha", "_mocha", "jest", "vitest",
    "ava", "tap",
    "jasmine", "karma", "bats", "prove", "rspec", "minitest", "cucumber", "behave", "phpunit", "pest",
    "busted",
    "robot", "shellspec", "shunit2", "hurl", "cypress", "playwright", "wdio", "lit", "cram", "stestr",
    "unittest",
})  # fmt: skip
# Flags whose next word is a file of settings or code that the program loads.
_SETTINGS_FLAGS = re.compile(
    r"--?(?:c|config|conf|configuration|config-?file|config-?path|cfg|rc-?file|rcfile|settings|opts|require|r|import|"
    r"loader|setup|setup-?files?|plugin|plugins|reporter|rulesdir|resolve-plugins-relative-to|ignore-path|project|"
    r"baseline|env-?file|bootstrap|init-?file|file|f|makefile|justfile|taskfile|workflow|options|profile-?file|"
    r"toml|ini|helper|globalSetup|dotenv-path|suite|runsettings|rules|ruleset|standard)"
)
# Programs whose flags look like those above and name no settings; alone they run nothing of the repository.
PLAIN = frozenset({
    "test", "[", "grep", "egrep", "fgrep", "rm", "cp", "mv", "ln", "ls", "tail", "head", "cut", "tar",
    "find", "wc", "sort",
    "readlink", "git", "echo", "printf", "true", "false", "cat", "tee", "diff", "cmp", "mkdir", "touch",
    "set", "exit", "tr",
    "uniq", "chmod", "basename", "dirname", "sleep", "export", "trap", "pwd", "which", "date", "jq",
    "uname", "kill", "wait",
})  # fmt: skip
_PLUGIN_FLAGS = ("-p", "--plugin", "--plugins")
_PATHLIKE = re.compile(r"[\w@%+~.-][\w@%+~./ -]*")
BY_VARIABLE = {"PYTEST_ADDOPTS": "pytest", "PYTEST_PLUGINS": "pytest-plugins", "NODE_OPTIONS": "node"}


@dataclass
class Call:
    """One program, read: `program` without its folder and `rest` as it stands, and what it is given.

    `imported` by code on the command line: judges only where their names say so.
    """

    program: str
    rest: tuple[str, ...]
    folder: str = ""
    commands: list[str] = field(default_factory=list)
    scripts: list[str] = field(default_factory=list)
    settings: list[str] = field(default_factory=list)
    modules: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)
    imported: list[str] = field(default_factory=list)


def starts_something(text: str) -> bool:
    """Whether a string in a script looks like a command line of a program that is known here."""
    first, _, rest = text.strip().partition(" ")
    name = first.rpartition("/")[2]
    known = name in SHELLS or name in TEST_RUNNERS or name in ("make", "npm", "tox", "nox", "just")
    return bool(rest) and (known or bool(_INTERPRETERS.fullmatch(name)))


def read_call(words: tuple[str, ...]) -> Call | None:
    """What a simple command starts in the end, through whatever starts it; None when that is nothing."""
    rest = list(words)
    while rest:
        name = rest[0].rpartition("/")[2]
        if name in STARTERS:
            rest = _after(rest, _VALUED.get(name, ()))
        elif name in RUNNERS and (RUNNERS[name] in rest[1:3] or not RUNNERS[name]):
            start = rest.index(RUNNERS[name]) if RUNNERS[name] else 0
            rest = _after(
                rest[start:], ("--group", "--extra", "--with", "-e", "-n", "--env", "-p", "--package")
            )
            if name == "coverage" and rest and not _INTERPRETERS.fullmatch(rest[0].rpartition("/")[2]):
                rest = ["python", *words[words.index("run") + 1 :]]
        else:
            break
    if not rest:
        return None
    call = Call(rest[0].rpartition("/")[2], tuple(rest[1:]))
    if "/" in rest[0] or rest[0].endswith((".sh", ".bash", ".py", ".js", ".rb", ".pl", ".php")):
        call.scripts.append(rest[0])
    _fill(call, rest[0])
    return call


def _after(words: list[str], valued: tuple[str, ...]) -> list[str]:
    """What is started: without the starter, its flags, and the seconds or settings it is given."""
    rest = words[1:]
    while rest and re.fullmatch(r"-.*|[\d.]+[smhd]?|[A-Za-z_]\w*=.*|exec|run|--", rest[0], re.DOTALL):
        rest = rest[2:] if rest[0] in valued else rest[1:]
    return rest


def _fill(call: Call, first: str) -> None:
    if first in (".", "source"):
        call.scripts += call.rest[:1]
    elif call.program in SHELLS:
        _shell(call)
    elif _INTERPRETERS.fullmatch(call.program):
        _interpreter(call)
    else:
        _program(call, call.program, call.rest)


def _shell(call: Call) -> None:
    words = iter(call.rest)
    for word in words:
        if re.fullmatch(r"-\w*c", word):
            call.commands += [next(words, "")]
            return
        if word in ("-o", "+o", "--rcfile", "--init-file"):
            next(words, "")
        elif not word.startswith(("-", "+")) and word not in SHELLS:
            call.scripts.append(word)
            return


def _interpreter(call: Call) -> None:
    """Flags of the interpreter, then one script or module; its own arguments are read as any program's."""
    valued = _VALUED.get(re.sub(r"[\d.]+$", "", call.program), ())
    rest = list(call.rest)
    testing = "--test" in rest or (call.program in ("deno", "bun") and "test" in rest[:1])
    while rest:
        word = rest.pop(0)
        name, _, value = word.partition("=")
        if word == "-m" or re.fullmatch(r"-[bBdEiIOPqsSuvx]*m", word):
            module = rest.pop(0) if rest else ""
            call.modules.append(module)
            _program(call, module.partition(".")[0], tuple(rest))
            return
        if name in _PRELOADS:
            call.settings += [value or (rest.pop(0) if rest else "")]
        elif word in _CODE_FLAGS and call.program != "php":
            _inline(call, rest.pop(0) if rest else "")
            return
        elif word in ("-f", "-c") or name in ("--config", "--env-file", "--test-global-setup"):
            call.scripts += [value or (rest.pop(0) if rest else "")]
        elif word in valued:
            rest[:1] = []
        elif word.startswith("-") or (word in ("run", "test") and call.program in ("deno", "bun")):
            continue
        elif testing:
            call.tests.append(word)
        else:
            call.scripts.append(word)
            _program(call, word, tuple(rest))
            return


def _inline(call: Call, code: str) -> None:
    """`python -c 'import check'` executes that file; what other code imports may be the code under test."""
    imported = re.findall(r"(?:^|[;\n])\s*(?:import|from)\s+([\w.]+)", code)
    alone = re.fullmatch(r"\s*import\s+[\w.]+\s*", code)
    (call.modules if alone else call.imported).extend(imported)
    for match in re.finditer(
        r"""(?:require|import|runpy\.run_path|open|load)\(?\s*["']([\w./-]+)["']""", code
    ):
        call.imported += [match[1], f"{match[1]}.js"]


def _program(call: Call, name: str, rest: tuple[str, ...]) -> None:
    """Settings that any program is pointed at, and the tests that a test runner is given."""
    if name in PLAIN:
        return
    testing = name.rpartition("/")[2] in TEST_RUNNERS and "--doctest-modules" not in rest
    unittest = name == "unittest"
    words = iter(rest)
    for word in words:
        flag, _, value = word.partition("=")
        if word.startswith("-"):
            if unittest and flag in ("-s", "--start-directory", "-t", "-p", "--pattern"):
                call.tests += _unittest_glob(flag, value or next(words, ""))
            elif flag in _PLUGIN_FLAGS or re.fullmatch(r"-p\S+", flag):
                plugin = value or (flag[2:] if re.fullmatch(r"-p\S+", flag) else next(words, ""))
                call.settings += _modules(plugin)
            elif _SETTINGS_FLAGS.fullmatch(flag):
                given = value or next(words, "")
                call.settings += [given] if _PATHLIKE.fullmatch(given) else []
            elif re.fullmatch(r"-[cf]\S+", flag):
                call.settings.append(flag[2:])
            elif value and re.search(r"\.(?:toml|ini|cfg|json|ya?ml|xml|conf|rc|js|cjs|mjs)$", value):
                call.settings.append(value)
        elif testing and unittest:
            call.modules += [word, word.rpartition(".")[0], word.rpartition(".")[0].rpartition(".")[0]]
        elif testing:
            call.tests.append(word)


def _unittest_glob(flag: str, value: str) -> Iterator[str]:
    if flag in ("-s", "--start-directory"):
        yield value
    elif flag in ("-p", "--pattern") and "*" in value:
        yield f"**/{value}"


def _modules(plugin: str) -> list[str]:
    """`-p tools.plugin`: a module by its dotted name, and whatever is a path already."""
    if plugin.startswith("no:") or not _PATHLIKE.fullmatch(plugin):
        return []
    path = plugin.replace(".", "/")
    return [plugin] if "/" in plugin else [f"{path}.py", f"{path}/__init__.py"]
