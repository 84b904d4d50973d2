"""Python files made to fell, stall or blind whoever reads them: name -> the files of a tree, by path."""

from __future__ import annotations

from collections.abc import Callable, Iterable

Files = dict[str, bytes]
HOSTILE = "hostile.py"
HEAD = "import os\nimport re\nfrom flask import Flask, request\n\napp = Flask(__name__)\n\n\n"
# Each hostile file ends with a weakness of its own, far from what is hostile.
TAIL = (
    '\n\n@app.route("/tail")\ndef tail():\n    os.system("ls " + request.args["tail"])\n    return "done"\n'
)
ENTRY = '@app.route("/entry")\ndef entry():\n    x = request.args["x"]\n'


def plain(middle: str, *, more: Files | None = None) -> Files:
    return {HOSTILE: f"{HEAD}{middle}{TAIL}".encode(), **(more or {})}


def inside(lines: Iterable[str]) -> Files:
    """In the body of a handler that has untrusted `x` and ends with a command made of it."""
    body = "".join(f"    {line}\n" for line in lines)
    return plain(f"{ENTRY}{body}    os.system(x)\n    return x\n")


def nested(opening: Callable[[int], str], depth: int, last: str) -> Files:
    lines = [" " * (number + 1) + opening(number) for number in range(depth)]
    return plain(
        "\n".join([f'def deep(x=request.args["x"]):\n{lines[0]}', *lines[1:], " " * (depth + 1) + last])
    )


def joined(sign: str, terms: int, last: str = "x") -> Files:
    return inside([f"y = {sign.join([*(f'a{n}' for n in range(terms)), last])}", "os.system(y)"])


DEEP: dict[str, Callable[[], Files]] = {
    "90 brackets": lambda: inside([f"y = {'[' * 90}x{']' * 90}"]),
    "5,000 brackets": lambda: inside([f"y = {'(' * 5000}x{')' * 5000}"]),
    "5,000 times not": lambda: inside([f"y = {'not ' * 5000}x"]),
    "50,000 minus signs": lambda: inside([f"y = {'-' * 50_000}x"]),
    "90 ifs in each other": lambda: nested(lambda n: f"if x == {n}:", 90, "os.system(x)"),
    "90 loops in each other": lambda: nested(lambda n: f"for i{n} in x:", 90, "os.system(x)"),
    "90 while True in each other": lambda: nested(lambda n: "while True:", 90, "x = x + x"),
    "90 functions in each other": lambda: nested(lambda n: f"def f{n}(x):", 90, "os.system(x)"),
    "90 classes in each other": lambda: nested(lambda n: f"class C{n}:", 90, "y = 1"),
    "90 withs in each other": lambda: nested(lambda n: f"with open(str({n})) as x:", 90, "os.system(x)"),
    "60 lambdas in each other": lambda: inside([f"y = {'lambda z: (' * 60}x{')' * 60}", f"os.system(y{'(x)' * 60})"]),
    "40 comprehensions in each other": lambda: inside([f"y = {'[(' * 40}x{') for i in x]' * 40}"]),
    "900 attributes": lambda: inside([f"y = x{'.a' * 900}", "os.system(y)"]),
    "450 calls in a row": lambda: inside([f"y = x{'.strip()' * 450}", "os.system(y)"]),
    "300 branches of elif": lambda: inside(["if x == 0:", "    y = 0"] + [line for n in range(1, 300) for line in (f"elif x == {n}:", f"    y = {n}")]),
    "3,000 attributes": lambda: inside([f"y = x{'.a' * 3000}", "os.system(y)"]),
    "2,000 calls in a row": lambda: inside([f"y = x{'.strip()' * 2000}", "os.system(y)"]),
    "2,000 calls of results": lambda: inside([f"y = x{'()' * 2000}", "os.system(y)"]),
    "2,000 subscripts": lambda: inside([f"y = x{'[0]' * 2000}", "os.system(y)"]),
    "80 calls in each other": lambda: inside([f"os.system({'str(' * 80}x{')' * 80})"]),
    "10,000 branches of elif": lambda: inside(["if x == 0:", "    y = 0"] + [line for n in range(1, 10_000) for line in (f"elif x == {n}:", f"    y = {n}")]),
    "1,000 branches of a conditional expression": lambda: inside([f"y = {''.join(f'{n} if x == {n} else ' for n in range(1000))}x"]),
    "decorators 200 deep": lambda: plain("def d(f):\n    def g(*a, **k):\n        return f(*a, **k)\n    return g\n\n\n" + "@d\n" * 200 + 'def entry(x=request.args["x"]):\n    os.system(x)\n'),
    "an annotation 2,000 deep": lambda: plain(f"y: {'list[' * 90}int{']' * 90} = []\nz: '{'list[' * 2000}int{']' * 2000}' = []\n"),
}  # fmt: skip

WIDE: dict[str, Callable[[], Files]] = {
    "900 terms of +": lambda: joined(" + ", 900),
    "5,000 terms of +": lambda: joined(" + ", 5000),
    "5,000 terms of and": lambda: joined(" and ", 5000),
    "5,000 terms of or": lambda: joined(" or ", 5000),
    "5,000 comparisons in a chain": lambda: joined(" < ", 5000),
    "5,000 terms of %": lambda: inside([f"y = {'(' * 80}x{' % x)' * 80}", f"y = {' % '.join(['x'] * 5000)}"]),
    "an f-string of 5,000 parts": lambda: inside([f"y = f'{'{x}-' * 5000}'", "os.system(y)"]),
    "a huge function": lambda: inside([f"v{n} = x + str({n})" for n in range(50_000)]),
    "10,000 ifs in a row": lambda: inside([line for n in range(10_000) for line in (f"if a{n}:", f"    x = x + '{n}'")]),
    "10,000 tries in a row": lambda: inside([line for n in range(10_000) for line in ("try:", f"    y{n} = x", "except OSError:", f"    y{n} = 0")]),
    "a match of 5,000 cases": lambda: inside(["match x:", *(line for n in range(5000) for line in (f"    case {n}:", f"        y = {n}"))]),
    "a dict of 50,000 entries": lambda: inside([f"y = {{{', '.join(f'{n}: {n}' for n in range(50_000))}, 'z': x}}", "os.system(y['z'])"]),
    "a list of 100,000 elements": lambda: inside([f"y = [{'1, ' * 100_000}x]", "os.system(y[100000])"]),
    "a call with 5,000 arguments": lambda: plain(f"def many({', '.join(f'p{n}' for n in range(5000))}):\n    os.system(p4999)\n\n\nmany({', '.join(['request.args'] * 5000)})\n"),
    "5,000 targets of one assignment": lambda: inside([f"{' = '.join(f'v{n}' for n in range(5000))} = x", "os.system(v17)"]),
    "10,000 functions": lambda: plain("\n".join(f"def f{n}(x):\n    return f{n + 1}(x)\n" for n in range(10_000))),
    "5,000 handlers": lambda: plain("\n".join(f'@app.route("/{n}")\ndef h{n}():\n    return request.args["a{n}"]\n' for n in range(5000))),
    "5,000 handlers that end in one function": lambda: plain("def last(x):\n    if x:\n        os.system(x)\n\n\n" + "\n".join(f'@app.route("/{n}")\ndef h{n}():\n    last(request.args["a{n}"])\n' for n in range(5000))),
    "2 MB in one line": lambda: plain(f"y = [{'1,' * 1_000_000}]\n"),
    "2 MB of statements in one line": lambda: plain("a = 1;" * 330_000 + "\n"),
    "2 MB of text": lambda: inside([f"y = '{'a' * 2_000_000}' + x", "os.system(y)"]),
    "a million empty lines": lambda: plain("\n" * 1_000_000),
    "20 MB of comments": lambda: plain(f"# {'a' * 98}\n" * 200_000),
}  # fmt: skip

BRANCHING: dict[str, Callable[[], Files]] = {
    "40 functions that each call the next twice": lambda: plain("\n".join(f"def f{n}(x, y):\n    return f{n + 1}(x + 'a', y) + f{n + 1}(x, y + 'b')\n" for n in range(40)) + "def f40(x, y):\n    os.system(x + y)\n    return x\n\n\n" + ENTRY + "    f0(x, x)\n"),
    "60 ifs that each change a constant": lambda: inside(["y = ''", *(line for n in range(60) for line in (f"if x == {n}:", f"    y = y + '{n},'", "else:", f"    y = y + '{n};'")), "os.system(y + x)"]),
    "60 ifs that each choose a function": lambda: plain("def f(x):\n    return x\n\n\ndef g(x):\n    return x + x\n\n\n" + ENTRY + "".join(f"    h = f if x == {n} else g\n    x = h(x)\n" for n in range(60)) + "    os.system(x)\n"),
    "30 loops that each feed the next": lambda: inside([line for n in range(30) for line in (f"for i{n} in x:", f"    x = x + [i{n}, x]")]),
    "recursion with a growing argument": lambda: plain(f"def f(x):\n    return f([x]) + f((x, x)) + f({{'a': x}})\n\n\n{ENTRY}    os.system(f(x))\n"),
    "recursion with a growing text": lambda: plain(f"def f(x, n=''):\n    return f(x, n + 'a') + f(x, n + 'b')\n\n\n{ENTRY}    os.system(f(x))\n"),
    "100 functions that each call all others": lambda: plain("\n".join(f"def f{n}(x, y=0):\n" + "".join(f"    f{m}(x, {n})\n" for m in range(100)) for n in range(100)) + f"\n{ENTRY}    f0(x)\n"),
    "doubling 64 times": lambda: inside(["y = 'a'", *["y = y + y"] * 64, "z = [x]", *["z = z + z"] * 64, "os.system(z[0] + y)"]),
    "a list of itself, doubling 64 times": lambda: inside(["z = [x]", *["z = [z, z]"] * 64, "os.system(z)"]),
    "decorators that call what they decorate": lambda: plain("def d(f):\n    return f(d(f))\n\n\n@d\n@d\ndef entry(g):\n    return g(d(g))\n"),
    "20 classes with 20 methods that call each other": lambda: plain("\n".join(f"class C{n}:\n" + "".join(f"    def m{m}(self, x):\n        self.a{m} = x\n        return C{(n + 1) % 20}().m{(m + 1) % 20}(self.a{m}) + self.m{(m + 7) % 20}(x)\n" for m in range(20)) for n in range(20)) + f"\n{ENTRY}    os.system(C0().m0(x))\n"),
}  # fmt: skip

# What a reader that computes constants must not compute.
BOMBS: dict[str, Callable[[], Files]] = {
    "a text a trillion long": lambda: inside(["y = 'a' * 10**12", "os.system(y + x)"]),
    "a list a trillion long": lambda: inside(["y = [0] * 10**12", "os.system(y[0] + x)"]),
    "a number of a billion digits": lambda: inside(["y = 10 ** 10 ** 9", "z = 1 << 10**10", "os.system(str(y) + x)"]),
    "a power of powers": lambda: inside(["y = 9 ** 9 ** 9 ** 9", "os.system(str(y) + x)"]),
    "padding to ten billion": lambda: inside(["y = '%10000000000d' % 1", "z = 'a'.ljust(10**10)", "w = f'{1:10000000000}'", "v = '{:>{}}'.format('a', 10**10)", "u = ('a' * 10**5).replace('a', 'b' * 10**6)", "os.system(y + z + x)"]),
    "a range of a billion": lambda: inside(["y = list(range(10**9))", "z = [i for i in range(10**9)]", "w = sum(range(10**10))", "for i in range(10**12):", "    x = x + str(i)"]),
    "a regular expression that never ends": lambda: inside([r"if re.match('(a+)+$', 'a' * 40 + '!'):", "    x = ''", "if re.fullmatch('(x+x+)+y', 'x' * 60):", "    x = ''"]),
    "a number that is slow to read": lambda: inside([f"y = int('{'9' * 200_000}')", f"z = 0x{'f' * 200_000}", "os.system(str(z) + x)"]),
    "joins of joins": lambda: inside(["y = 'ab'", *["y = y.join([y, y, y])"] * 40, "os.system(y + x)"]),
    "a division by zero": lambda: inside(["y = 1 / 0", "z = 1 % 0", "w = '%d' % 'a'", "v = '{'.format(1)", "u = 'a'[9]", "t = [][1]", "s = {}['a']", "os.system(x)"]),
    "shifts and powers below zero": lambda: inside(["y = 1 << -1", "z = 0 ** -1", "w = 'a' * -5", "v = round(1e308 * 10)", "u = int(float('inf'))", "t = chr(-1)", "os.system(x)"]),
}  # fmt: skip

ALL_CODE: dict[str, Callable[[], Files]] = {**DEEP, **WIDE, **BRANCHING, **BOMBS}
