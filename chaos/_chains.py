"""Chains of operations on an untrusted text, written by chance: programs that can be followed, and be run."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

HEAD = """\
import base64, codecs, html, json, os, re, shlex, textwrap, unicodedata, urllib.parse
from flask import request
import lab
KNOWN = ("k", "it's")
TABLE = {"k": "<b>", "x": "x"}
class Text(str):
    pass
def same(text):
    return text
def lowered(text):
    return text.lower()
def is_fine(text):
    return text.isalnum()
def check(text):
    if not re.fullmatch(r"[\\w.-]*", text):
        raise ValueError(text)
def cut(text):
    for one in text.split("'"):
        if one:
            return one
    return text
"""
CHARACTERS = (
    "'",
    '"',
    "<",
    ">",
    "/",
    "\\\\",
    ".",
    ";",
    " ",
    "\\n",
    "-",
    "%",
    "&",
    "(",
    "x",
    "k",
    "",
    "..",
    "''",
    "&lt;",
)
SETS = (
    r"[a-z]+", r"\\w+", r"[\\w-]+", r"[\\w.]*", r"[^']*", r"[^<>]*", r"\\d+", r"[A-Z]", r".*", r"[^/.]+", r"(?s).*",
    r"[\\w' ]+", r"(?i)[a-z]*", r"[^\\W]+", r"(a|b|')*", r"(?:\\w|/)+", r"[!-~]*", r"[^\\s]+", r"(\\w)(.)?", r"(?a:\\w+)", r"\\S+",
)  # fmt: skip
# `{w}` is the text as it is so far; each gives a text, if it gives anything.
OPERATIONS = (
    "{w}.strip()", "{w}.strip({c})", "{w}.lstrip({c})", "{w}.rstrip()", "{w}.lower()", "{w}.upper()", "{w}.title()",
    "{w}.casefold()", "{w}.swapcase()", "{w}.capitalize()", "{w}.zfill(9)", "{w}.center(9)", "{w}.center(9, {o})",
    "{w}.ljust(30, {o})", "{w}.rjust(30, {o})", "{w}.expandtabs()", "{w}.replace({c}, {c})", "{w}.replace({o}, '')",
    "{w}.replace({o}, '')", "{w}.replace({o}, {o}, 1)", "{w}.replace({o}, {w})", "{w}.removeprefix({c})",
    "{w}.removesuffix({c})", "{w}[1:]", "{w}[::-1]", "{w}[::2]", "{w}[:5]", "{w}[-3:]", "{w}.split({o})[0]",
    "{w}.split({o})[-1]", "{w}.split({o}, 1)[-1]", "{w}.rsplit({o}, 1)[-1]", "{w}.rsplit({o}, 1)[0]", "({w}.split() or [''])[0]",
    "{w}.partition({o})[0]", "{w}.partition({o})[2]", "{w}.rpartition({o})[2]", "({w}.splitlines() or [''])[0]",
    "({w}.splitlines(True) or [''])[0]", "{c}.join({w}.split({o}))", "{c}.join({w}.split({o}))", "{c}.join({w})", "{c}.join(list({w}))",
    "''.join(ch for ch in {w} if ch.isalnum())", "''.join(ch for ch in {w} if ch not in {o})", "''.join(reversed({w}))",
    "{c}.join(one.strip() for one in {w}.split({o}))", "{c}.join(map(str.lower, {w}.split({o})))", "{c}.join(sorted({w}))",
    "{w}.translate({{107: {c}, 120: None}})", "{w}.translate(str.maketrans('kx', '<\\''))", "{w}.encode().decode()",
    "{w}.encode('unicode_escape').decode()", "{w}.encode().decode('unicode_escape')", "{w}.encode('ascii', 'ignore').decode()",
    "f'{{{w}}}'", "f'{{{w}!r}}'", "f'{{{w}!s}}'", "f'{{{w}:>9}}'", 'f"{{{w}:\'>9}}"', "f'k{{{w}}}x'", "'%s' % {w}", "'%r' % {w}", "'%9s' % {w}",
    "'%s-%s' % ({w}, {w})", "'%(a)s' % {{'a': {w}}}", "'{{}}'.format({w})", "'{{0:<9}}'.format({w})", "'{{0!r}}'.format({w})", "'{{a}}'.format(a={w})",
    "'{{}}{{}}'.format(*{w}[:2])", "format({w}, '>9')", "str({w})", "repr({w})", "ascii({w})", "str([{w}])", "f'{{[{w}]}}'", "str({w}.split({o}))",
    "unicodedata.normalize('NFKC', {w})", "unicodedata.normalize('NFKD', {w})", "html.escape({w})", "html.escape({w}, quote=False)",
    "html.unescape({w})", "shlex.quote({w})", "urllib.parse.quote({w})", "urllib.parse.quote({w}, safe='/\\'<')", "urllib.parse.unquote({w})",
    "re.sub({p}, '', {w})", "re.sub({p}, {c}, {w})", "re.sub({p}, '', {w}, count=1)", "re.sub({p}, lambda m: m[0], {w})", "re.sub(r'(k)', r'\\1\\1', {w})",
    "re.escape({w})", "re.match({p}, {w}).group()", "re.search({p}, {w})[0]", "re.fullmatch({p}, {w}).group(0)", "re.split({p}, {w})[0]", "re.findall({p}, {w})[0]",
    "re.search('k(.*)x', {w}).group(1)", "json.dumps({w})", "json.loads({w})", "json.loads(json.dumps({w}))", "base64.b64decode({w} + '==').decode()",
    "base64.b64encode({w}.encode()).decode()", "bytes.fromhex({w}).decode()", "codecs.decode({w}, 'rot13')", "str(len({w}))", "str(int({w}))", "str(float({w}))",
    "'%d' % int({w})", "'%c' % {w}[0]", "'%c' % int({w})", "f'{{int({w}):c}}'", 'f"{{int({w}):\'>9d}}"', "chr(int({w}))", "chr(len({w}) + 30)", "'%x' % int({w})",
    "os.path.basename({w})", "os.path.normpath({w})", "os.path.join({w}, {w})", "textwrap.dedent({w})", "{w} + {w}", "{w} * 2", "('k' + {w})", "({w} + 'x')",
    "({o} + {w}).lower()", "({w} + {o}).strip()", "({o} + {w})[0:]", "[{w}][0]", "{{'a': {w}}}['a']", "({w}, 'k')[0]", "({w} or 'k')", "({w} and 'k')",
    "({w} if lab.coin() else 'k')", "({w} if lab.coin() else {c})", "({w} if {w}.isalnum() else 'k')", "({w} if {o} not in {w} else '')", "max({w}, 'k')",
    "same({w})", "lowered({w})", "cut({w})", "Text({w})", "(lambda t: t)({w})", "''.join([{w}, 'k', {w}])", "TABLE.get({w}, 'k')", "TABLE.get({w}, {w})", "sum([[{w}]], [])[0]",
    "str({w} == 'k')", "str({w}.find({o}))", "next(iter([{w}]))", "[*{w}.split({o})][0]", "os.fspath({w})", "'{{0[0]}}'.format([{w}])", "str(Exception({w}))",
)  # fmt: skip
CONDITIONS = (
    "{w}.isalnum()", "{w}.isalpha()", "{w}.isdigit()", "{w}.isdecimal()", "{w}.isnumeric()", "{w}.isidentifier()", "{w}.isprintable()", "{w}.isascii()",
    "{o} not in {w}", "{o} not in {w}", "{o} not in {w} and {o} not in {w}", "not ({o} in {w} or {o} in {w})", "{o} not in {w} or {w}.isalnum()", "re.fullmatch({p}, {w})",
    "re.match({p}, {w})", "re.search({p}, {w})", "re.match('^' + {p} + '$', {w})", "re.match(r'^\\w+$', {w})", "re.match(r'\\w+\\Z', {w})", "re.search(r'^[\\w-]*$', {w})",
    "re.match(r'^\\w+$|k', {w})", "re.compile({p}).fullmatch({w})", "re.compile({p}).fullmatch({w}, 1)", "re.fullmatch(r'\\w+', {w}, re.M)", "re.match(r'(?m)^\\w+$', {w})",
    "re.fullmatch({p}, {w}) is not None", "not re.search(r'[^\\w]', {w})", "{w} in KNOWN", "{w} in TABLE", "{w} == 'k'", "{w} != 'k'", "{w} in 'abk.'", "{w} in ('k', 'x')",
    "{w}.lower() in KNOWN", "{w}.strip().isalnum()", "all(ch in 'abk' for ch in {w})", "any(ch in 'abk' for ch in {w})", "set({w}) <= set('abkx')", "{w}.startswith('k')",
    "not {w}.startswith(('/', '.'))", "{w}.endswith('x')", "len({w}) < 9", "{w}[0].isalnum()", "{w}[1:].isalnum()", "{w}.replace({o}, '').isalnum()", "is_fine({w})", "not is_fine({w})",
    "lab.is_sound({w})", "isinstance({w}, str)", "{other}.isalnum()", "{o} not in {other}", "{w}", "not {w}.isalnum()", "({w}.isalnum() or lab.coin())", "{w}.isalnum() and lab.coin()",
)  # fmt: skip
STATEMENTS = (
    "check({w})", "int({w})", "assert {w}.isalnum()", "{w} += {c}", "{w} = {w} + {other}", "{other} = {w}", "{w}, {other} = {other}, {w}",
    "for {other} in {w}.split({o}):\n        if {other}.isalnum():\n            break", "for one in {w}.split({o}):\n        {w} = one",
    "for one in {w}.split({o}):\n        if not one.isalnum():\n            return\n        {w} = {other}\n        {other} = one",
    "try:\n        if not {w}.isalnum():\n            raise ValueError\n    except ValueError:\n        pass",
    "while len({w}) > 9 and lab.coin():\n        {other} = {w}\n        {w} = {w}[1:]\n        if not {w}.isalnum():\n            break",
    "held = [{w}]\n    if not {w}.isalnum():\n        return\n    held.append({other})\n    {w} = held[-1]", "held = [one for one in {w}.split({o})]\n    for one in held:\n        for {other} in held:\n            if one.isalnum():\n                {w} = {other}",
    "def inner():\n        nonlocal {w}\n        {w} = {other}\n    inner()", "{w} = (lambda: {other})()", "match {w}:\n        case 'k':\n            pass\n        case _:\n            {w} = {other}", "if ({w} := {other}) and not {w}.isalnum():\n        return",
    "lab.change({w})", "words = {w}.split({o})\n    lab.fill(words)\n    {w} = {c}.join(words)", "words = ['k']\n    lab.fill(words)\n    {w} = words[-1]", "def inner(text={w}):\n        return text\n    {w} = inner()",
)  # fmt: skip
SOURCES = (
    "request.args['{name}']",
    "request.args.get('{name}', 'k')",
    "request.get_json()['{name}']",
    "lab.source()",
)
# Where a text goes, and the rule for what may then be in it.
SINKS = (
    ('lab.sql("SELECT a FROM t WHERE a = \'" + w + "\'")', "quoted"),
    ("lab.sql(f\"SELECT a FROM t WHERE a = '{w}' AND b = 1\")", "quoted"),
    ("lab.sql(\"SELECT a FROM t WHERE a = '%s'\" % w)", "quoted"),
    ('lab.sql("SELECT a FROM t WHERE a = " + w)', "bare"),
    ('lab.page("<p>" + w + "</p>")', "between"),
    ('lab.page("<p title=\\"{}\\">".format(w))', "attribute"),
    ('lab.page("<p title={}>".format(w))', "never"),
    ('lab.page(w + "=\\"k\\"")', "never"),
    ('lab.sink("ls " + w)', "command"),
    ('lab.sink("sh -c " + w)', "never"),
    ('lab.sink("ls \'" + w + "\'")', "command"),
    ('lab.path(os.path.join("/srv/root", w))', "path"),
    ('lab.path("/srv/root/" + w + "/a")', "path"),
    ('lab.path(os.path.join("/srv/root", *w.split("/")))', "path"),
    ('lab.log("seen " + w)', "line"),
    ('lab.code("1 + " + w)', "number"),
)


@dataclass(frozen=True)
class Program:
    """`rules` says for the line of each sink what must not arrive there."""

    text: str
    rules: dict[int, str]
    functions: int


class Writer:
    def __init__(self, chance: random.Random) -> None:
        self.chance, self.lines, self.rules = chance, HEAD.splitlines(), dict[int, str]()

    def program(self, functions: int) -> Program:
        for number in range(functions):
            self.function(number)
        return Program("\n".join(self.lines) + "\n", self.rules, functions)

    def function(self, number: int) -> None:
        self.say(f"def f{number}():")
        for name in ("w", "v"):
            self.say(f"    {name} = {self.chance.choice(SOURCES).format(name=name)}")
        for _ in range(self.chance.randint(1, 6)):
            self.step()
        sink, rule = self.chance.choice(SINKS)
        # Judge what arrives apart from the text around it.
        self.say("    lab.arrives(w)")
        self.say(f"    {sink}")
        self.rules[len(self.lines)] = rule

    def step(self) -> None:
        kind = self.chance.random()
        if kind < 0.55:
            self.say(f"    w = {self.filled(OPERATIONS)}")
        elif kind < 0.85:
            self.say(f"    if not ({self.filled(CONDITIONS)}):\n        return")
        else:
            self.say(f"    {self.filled(STATEMENTS)}")

    def filled(self, patterns: tuple[str, ...]) -> str:
        """Each hole by itself: `{o}` is one special character, `{c}` any text, `{p}` a pattern."""
        choose: Callable[[tuple[str, ...]], str] = self.chance.choice
        text = choose(patterns)
        for hole, some in (("{o}", CHARACTERS[:14]), ("{c}", CHARACTERS)):
            while hole in text:
                text = text.replace(hole, '"' + choose(some).replace('"', '\\"') + '"', 1)
        while "{p}" in text:
            text = text.replace("{p}", 'r"' + choose(SETS).replace("\\\\", "\\") + '"', 1)
        return text.replace("{w}", "w").replace("{other}", "v").replace("{{", "{").replace("}}", "}")

    def say(self, text: str) -> None:
        self.lines += text.splitlines()
