"""Trees of Python files made to fell, stall or blind whoever reads them: modules, classes, encodings, odd files."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from chaos._hostile_code import ENTRY, HEAD, HOSTILE, TAIL, Files, inside, plain

MODULES = 300


def ring(number: int) -> Files:
    """Modules whose functions call those of the next one and of the one after it, around and around."""
    made = {}
    for n in range(number):
        after, over = (n + 1) % number, (n + 7) % number
        text = f"import os\nfrom ring import m{after}, m{over}\n\n\ndef f(x, y=''):\n    os.path.join(x)\n"
        made[f"ring/m{n}.py"] = f"{text}    return m{after}.f(x + '{n}', y) + m{over}.f(y, x)\n".encode()
    return {**made, "ring/__init__.py": b""}


def cycle(number: int, words: str) -> Files:
    return {f"m{n}.py": f"{words.format((n + 1) % number)}\nv{n} = 1\n".encode() for n in range(number)}


CLASSES: dict[str, Callable[[], Files]] = {
    "containers that hold themselves": lambda: inside(["y = []", "y.append(y)", "y.append(x)", "d = {}", "d['d'] = d", "d['x'] = x", "d.update(d)", "y.extend(y)", "t = (y, d)", "y[0] = t", "os.system(y[0][0][1])", "os.system(d['d']['d']['x'])"]),
    "an object that is its own attribute": lambda: plain(f"class A:\n    pass\n\n\n{ENTRY}    a = A()\n    a.a = a\n    a.a.a.x = x\n    a.__class__ = a\n    a.__dict__ = a.__dict__\n    os.system(a.a.a.a.x)\n"),
    "a class that inherits from itself": lambda: plain(f"class A(A):\n    pass\n\n\nclass B(C, B):\n    pass\n\n\nclass C(B, A, C):\n    pass\n\n\n{ENTRY}    os.system(C().run(x))\n    B.get(x)\n"),
    "200 classes in line": lambda: plain("class C0:\n    def m(self, x):\n        os.system(x)\n\n\n" + "\n".join(f"class C{n}(C{n - 1}):\n    pass\n" for n in range(1, 200)) + f"\n{ENTRY}    C199().m(x)\n"),
    "200 classes, each super of all": lambda: plain("class C0:\n    def m(self, x):\n        os.system(x)\n\n\n" + "\n".join(f"class C{n}({', '.join(f'C{m}' for m in reversed(range(n)))}):\n    def m(self, x):\n        return super().m(x)\n" for n in range(1, 200)) + f"\n{ENTRY}    C199().m(x)\n"),
    "properties and __getattr__ that call themselves": lambda: plain(f"class A:\n    def __getattr__(self, name):\n        return getattr(self, name)\n\n    @property\n    def p(self):\n        return self.p\n\n    def __call__(self, *a):\n        return self(*a)\n\n    def __iter__(self):\n        return iter(self)\n\n    __getitem__ = __call__\n    __add__ = __call__\n\n\n{ENTRY}    a = A()\n    os.system(a.p + a.q + a(x) + a[x])\n    for i in a:\n        os.system(i)\n"),
    "a generator of itself": lambda: plain(f"def g(x):\n    yield from g(x)\n    for y in g(g(x)):\n        yield y\n\n\n{ENTRY}    for y in g(x):\n        os.system(y)\n"),
    "metaclasses and slots": lambda: plain(f"class M(type, metaclass=M):\n    def __new__(cls, *a):\n        return cls(*a)\n\n\nclass A(metaclass=M, **{{'a': A}}):\n    __slots__ = A\n    a = A()\n\n\n{ENTRY}    os.system(A(x))\n"),
    "globals that name each other": lambda: plain("a = b = c\nb = a\nc = b\nf = lambda x: f(f(x))\ng = h = lambda x: h(g(f(x)))\n" + ENTRY + "    global a, b\n    a = x\n    b = f(a)\n    os.system(g(b))\n"),
    "names that are everything": lambda: plain(f"os = os\nrequest = request\nstr = str(str)\n{ENTRY}    del x, os, request\n    globals()['os'] = os\n    locals().update(x=x)\n    exec(x)\n    os.system(x)\n"),
}  # fmt: skip

IMPORTS: dict[str, Callable[[], Files]] = {
    "mutual recursion across 300 modules": lambda: plain(f"from ring import m0\n\n\n{ENTRY}    os.system(m0.f(x))\n", more=ring(MODULES)),
    "300 modules that import all of each other": lambda: plain("from m0 import *\n", more=cycle(300, "from m{} import *")),
    "a chain of 2,000 imports": lambda: plain("import m0\n", more=cycle(2000, "import m{0}\nfrom m{0} import *")),
    "a module that imports itself": lambda: plain("import hostile\nfrom hostile import *\nfrom hostile import hostile\nfrom . import hostile as h\nhostile.hostile.hostile.x = 1\n"),
    "imports from above the root": lambda: plain(f"from {'.' * 50} import a\nfrom {'.' * 50}etc.passwd import b\nimport {'.'.join(['a'] * 2000)}\n"),
    "5,000 imports in a line": lambda: plain(f"import {', '.join(f'a{n}.b.c as a{n}' for n in range(5000))}\n"),
    "packages 60 deep": lambda: plain(f"import {'.'.join(['p'] * 60)}.m\n", more={f"{'p/' * 60}m.py": b"from ............ import x\n"}),
    "a file that is called as a library is": lambda: plain("", more={"os.py": b"def system(x):\n    return x\n", "builtins.py": b"def str(x):\n    return 1\n"}),
    "a folder and a file of one name": lambda: plain("import two\ntwo.f(1)\n", more={"two.py": b"def f(x): return x\n", "two/__init__.py": b"from two import *\n"}),
}  # fmt: skip

TEXTS: dict[str, Callable[[], Files]] = {
    "a syntax error": lambda: plain("def (:\n"),
    "a syntax error in the last line": lambda: plain("", more={"hostile.py": f"{HEAD}{TAIL}\n)\n".encode()}),
    "f-strings as of Python 3.12": lambda: inside(["y = f'{f'{x}'}'", 'os.system(f"{x + "a"}")', "os.system(f'{x!r:{'>' + '5'}}')"]),
    "syntax of Python 3.14": lambda: plain("type A[T: int = str] = list[T]\n\n\ndef f[**P](x: P.args):\n    try:\n        pass\n    except OSError, ValueError:\n        y = t'{x}'\n"),
    "syntax of Python 2": lambda: plain("print 'a'\nexec 'b' in {}\nraise E, 'x'\ny = 0777\n"),
    "latin-1": lambda: {HOSTILE: f"# -*- coding: latin-1 -*-\n{HEAD}y = 'äöü'\n{TAIL}".encode("latin-1")},
    "latin-1 without saying so": lambda: {HOSTILE: f"{HEAD}y = 'äöü'\n{TAIL}".encode("latin-1")},
    "an unknown coding": lambda: {HOSTILE: f"# coding: klingon\n{HEAD}{TAIL}".encode()},
    "a coding that hides code": lambda: {HOSTILE: f"# coding: utf-7\n{HEAD}+AAo-{TAIL}".encode()},
    "UTF-16": lambda: {HOSTILE: f"{HEAD}{TAIL}".encode("utf-16")},
    "NUL bytes": lambda: {HOSTILE: f"{HEAD}y = '\0'\n{TAIL}".encode()},
    "NUL bytes at the end": lambda: {HOSTILE: f"{HEAD}{TAIL}".encode() + b"\0" * 4096},
    "a byte order mark": lambda: {HOSTILE: b"\xef\xbb\xbf" + f"{HEAD}{TAIL}".encode()},
    "two byte order marks": lambda: {HOSTILE: b"\xef\xbb\xbf" * 2 + f"{HEAD}{TAIL}".encode()},
    "a mark and another coding": lambda: {HOSTILE: b"\xef\xbb\xbf# coding: latin-1\n" + f"{HEAD}{TAIL}".encode()},
    "carriage returns alone": lambda: {HOSTILE: f"{HEAD}{TAIL}".replace("\n", "\r").encode()},
    "form feeds and tabs": lambda: {HOSTILE: f"\f{HEAD}{TAIL}".replace("    ", "\t").encode()},
    "halves of characters": lambda: inside(["y = '\\ud800\\udfff' + x", "os.system(y.encode('utf8'))", "z = b'\\xff'.decode()"]),
    "names that look alike": lambda: inside(["ſ = x", "os.ſystem(ſ)", "оs = 1", "os.system(s)"]),
    "an empty file": lambda: {HOSTILE: b""},
    "bytes of no meaning": lambda: {HOSTILE: bytes(range(256)) * 64},
    "half a million quotes": lambda: {HOSTILE: f"{HEAD}{TAIL}y = {chr(34) * 500_001}".encode()},
}  # fmt: skip


def _write(root: Path, path: str = HOSTILE) -> Path:
    place = root / path
    place.write_text(f"{HEAD}{TAIL}")
    return place


def unreadable(root: Path) -> None:
    _write(root).chmod(0)


def link_to_itself(root: Path) -> None:
    (root / HOSTILE).symlink_to(HOSTILE)


def links_in_a_ring(root: Path) -> None:
    (root / HOSTILE).symlink_to("other.py")
    (root / "other.py").symlink_to(HOSTILE)


def folder_inside_itself(root: Path) -> None:
    (root / "hostile").mkdir()
    (root / "hostile" / "again").symlink_to("..")
    (root / HOSTILE).symlink_to("hostile/again/hostile/again/beside.py")


def link_out_of_the_tree(root: Path) -> None:
    (root / HOSTILE).symlink_to(os.__file__)


def pipe(root: Path) -> None:
    os.mkfifo(root / HOSTILE)


def folder_with_the_name(root: Path) -> None:
    (root / HOSTILE).mkdir()
    _write(root, f"{HOSTILE}/inner.py")


def no_such_file(root: Path) -> None:
    _write(root).unlink()


def name_with_a_line_break(root: Path) -> None:
    _write(root)
    _write(root, "host\nile.py")


def name_that_is_no_text(root: Path) -> None:
    _write(root)
    Path(os.fsdecode(os.fsencode(root) + b"/host\xffile.py")).write_text(f"{HEAD}{TAIL}")


SPECIALS: dict[str, Callable[[Path], None]] = {
    made.__name__.replace("_", " "): made
    for made in (
        unreadable, link_to_itself, links_in_a_ring, folder_inside_itself, link_out_of_the_tree, pipe, folder_with_the_name,
        no_such_file, name_with_a_line_break, name_that_is_no_text,
    )
}  # fmt: skip
ALL_TREES: dict[str, Callable[[], Files]] = {**CLASSES, **IMPORTS, **TEXTS}
