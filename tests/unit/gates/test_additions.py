"""Edits of a test file that only add tests, and edits that look like it."""

from __future__ import annotations

import pytest

from burnish.gates.additions import only_adds_tests

PYTEST = "import app\n\n\ndef test_add():\n    assert app.add(1, 2) == 3\n"
CASE = "import unittest\n\n\nclass TestIt(unittest.TestCase):\n    def test_a(self):\n        self.assertTrue(1)\n"
NODE = "import test from 'node:test';\n\ntest('a', () => {\n  ok(1);\n});\n"
MAKE = ".PHONY: test\ntest: lib.o\n\tpytest\n"
SHELL = "# to be sourced\nupper() {\n    tr a-z A-Z\n}\n"
GO = "package a\n\nfunc TestA(t *testing.T) {\n\tx()\n}\n"


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("tests/test_a.py", PYTEST, f"{PYTEST}\n\ndef test_more():\n    assert True\n"),
        (
            "tests/test_a.py",
            PYTEST,
            PYTEST.replace("import app", "import app\nimport pytest\n\nCASES = [1, 2]"),
        ),
        ("a_test.py", CASE, f"{CASE}\n    def test_b(self):\n        self.assertTrue(2)\n"),
        ("tests/test_a.py", PYTEST, f"# about\n{PYTEST}\n\n@pytest.fixture\ndef two():\n    return 2\n"),
        ("src/a.test.mjs", NODE, f"{NODE}\ntest('b', () => {{\n  ok(2);\n}});\n"),
        ("Makefile", MAKE, f"{MAKE}\n# to tidy up\nclean:\n\t-rm -f x || true\n\ndist: clean\n\tcp a b\n"),
        ("Makefile", MAKE, MAKE.replace("PHONY: test", "PHONY: test clean") + "\nclean:\n\trm -f x\n"),
        (
            "lib.sh",
            SHELL,
            f"{SHELL}\n# a note\nnew_one() (\n    x=$(mktemp) || exit 1\n    trap 'rm \"$x\"' EXIT\n)\n",
        ),
        ("a_test.go", GO, f"{GO}\nfunc TestB(t *testing.T) {{\n\ty()\n}}\n"),
    ],
)
def test_new_tests_in_an_existing_file_are_additions(path: str, old: str, new: str) -> None:
    assert only_adds_tests(path, old.encode(), new.encode())


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("tests/test_a.py", PYTEST, PYTEST.replace("    assert", "    return\n    assert")),
        ("tests/test_a.py", PYTEST, PYTEST.replace("def test_add", "@pytest.mark.skip\ndef test_add")),
        ("tests/test_a.py", PYTEST, f"{PYTEST}\n\ndef test_add():\n    pass\n"),
        ("tests/test_a.py", PYTEST, f"{PYTEST}\n\npytestmark = skip\n"),
        ("tests/test_a.py", PYTEST, f"{PYTEST}\n\napp.add = print\n"),
        ("tests/test_a.py", PYTEST, f"{PYTEST}\n\nfrom fake import app\n"),
        ("tests/test_a.py", PYTEST, f"{PYTEST}\n\n@pytest.fixture(autouse=True)\ndef _fix():\n    pass\n"),
        ("tests/test_a.py", PYTEST, f"{PYTEST}\n\ndef setup_module():\n    pass\n"),
        ("tests/test_a.py", PYTEST, "import app\n\n\ndef test_new():\n    pass\n"),
        ("a_test.py", CASE, f"{CASE}\n    def setUp(self):\n        self.skipTest('x')\n"),
        ("a_test.py", CASE, f"{CASE}\n    def test_a(self):\n        pass\n"),
        ("a_test.py", CASE, CASE.replace("unittest.TestCase)", "Other)")),
        ("conftest.py", "x = 1\n", "x = 1\n\n\ndef test_more():\n    pass\n"),
        ("tests/conftest.py", "X = 1\n", "X = 1\nY = 2\n"),
        ("Makefile", MAKE, f"{MAKE}\ntest: clean\nclean:\n\trm -f x\n"),
        ("Makefile", MAKE, f"{MAKE}\nlib.o:\n\ttrue\n"),
        ("Makefile", MAKE, f"{MAKE}\nclean: export PATH = fake\nclean:\n\ttrue\n"),
        ("Makefile", MAKE, f"{MAKE}\nSHELL = /bin/true\n"),
        ("Makefile", MAKE, f"{MAKE}\n.IGNORE:\n"),
        ("Makefile", MAKE, f"{MAKE}\nMakefile:\n\ttrue\n"),
        ("Makefile", MAKE, f"{MAKE}\nclean:\n\ttrue\n-include more.mk\n"),
        ("Makefile", MAKE, f"{MAKE}\n$(eval SHELL=true):\n"),
        ("Makefile", MAKE, f"{MAKE}\n%:\n\ttrue\n"),
        ("Makefile", MAKE, f"clean:\n\ttrue\n{MAKE}"),
        ("Makefile", MAKE, f"{MAKE}\ttrue\n"),
        ("Makefile", MAKE, MAKE.replace("\tpytest", "\t-pytest")),
        ("Makefile", MAKE.rstrip() + " \\\n", f"{MAKE.rstrip()} \\\nclean:\n\ttrue\n"),
        ("Makefile", MAKE.replace("test:", "t%:"), MAKE.replace("test:", "t%:") + "tests:\n\ttrue\n"),
        ("Makefile", MAKE, MAKE.replace(".PHONY: test", ".PHONY: other")),
        ("lib.sh", SHELL, f"{SHELL}exit 0\n"),
        ("lib.sh", SHELL, f"{SHELL}new_one() {{\n    true\n    }}; exit 0\n}}\n"),
        ("lib.sh", SHELL, f"{SHELL}new_one() {{\n    true\n}}; exit 0\n"),
        ("lib.sh", SHELL, f"{SHELL}printf() {{\n    true\n}}\n"),
        ("lib.sh", SHELL, f"{SHELL}upper() {{\n    true\n}}\n"),
        ("lib.sh", SHELL, f"{SHELL}assert_equal() {{\n    true\n}}\n"),
        ("lib.sh", SHELL, f"{SHELL}new_one() {{\n    cat <<X\n}}\nX\n    exit 0\n}}\n"),
        ("lib.sh", SHELL, f"{SHELL}command_not_found_handle() {{\n    true\n}}\n"),
        ("src/a.test.mjs", NODE, f"{NODE}process.exit(0);\n"),
        ("src/a.test.mjs", NODE, NODE.replace("test('a'", "test.skip('a'")),
        ("a_test.go", GO, f"{GO}\nfunc TestMain(m *testing.M) {{\n\tos.Exit(0)\n}}\n"),
        ("a_test.go", GO, f"{GO}\nfunc init() {{\n\tos.Exit(0)\n}}\n"),
    ],
)
def test_what_takes_something_away_is_none(path: str, old: str, new: str) -> None:
    assert not only_adds_tests(path, old.encode(), new.encode())
