"""Which names of files judge a change."""

from __future__ import annotations

import re

import pytest

from burnish.gates.judge_files import INTRUDERS, SETTINGS, SHARED, TESTS, shadows


def matched(path: str, globs: tuple[str, ...]) -> bool:
    """Git's globs, as far as the table uses them."""
    known = {"**/": "(?:.*/)?", "/**": "/.*", "*": "[^/]*"}
    for glob in globs:
        parts = re.split(r"(\*\*/|/\*\*|\*|\[[^\]]+\])", glob)
        form = "".join(
            known.get(part) or (part if part.startswith("[") else re.escape(part)) for part in parts
        )
        if re.fullmatch(form, path):
            return True
    return False


@pytest.mark.parametrize(
    "path",
    [
        "tests/test_a.py", "a/tests.py", "a/b_test.py", "src/a.test.mjs", "src/a.spec.tsx", "a.test.cts", "x/__snapshots__/a.snap",
        "src/test/java/A.java", "ATest.kt", "Calc.Tests/A.cs", "CalcTests.cs", "ATest.php", "a.bats", "t/a.t", "a_test.go",
        "pkg/testdata/x.json", "crate/tests/a.rs", "ATests.swift", "a_test.exs", "ASpec.scala", "a_test.dart", "a_spec.lua",
        "a_spec.rb", "features/a.feature", "a_unittest.cc", "a_SUITE.erl",
    ],
)  # fmt: skip
def test_tests_of_other_layouts_are_in_the_table(path: str) -> None:
    assert matched(path, TESTS)


@pytest.mark.parametrize(
    "path",
    [
        "pytest.toml", ".pytest.toml", "ty.toml", ".oxlintrc.json", "biome.json", "deno.json", ".mocharc.cjs", ".nycrc", ".c8rc.json",
        "jest.config.ts", "vitest.config.mts", "playwright.config.ts", "karma.conf.js", "ava.config.js", ".taprc", ".rspec",
        "phpunit.xml.dist", ".config/nextest.toml", ".golangci.toml", ".swiftlint.yml", "sub/GNUmakefile", ".npmrc",
        "x.egg-info/entry_points.txt", "x.dist-info/entry_points.txt", "__pycache__/a.pyc", "node_modules/a/index.js",
    ],
)  # fmt: skip
def test_settings_and_leftovers_of_known_tools_are_in_the_table(path: str) -> None:
    assert matched(path, SETTINGS)


@pytest.mark.parametrize(
    "path",
    ["pluggy.py", "iniconfig/__init__.py", "src/_pytest/__init__.py", "unittest.py", "code/packaging.py"],
)
def test_modules_that_shadow_a_runner_are_known(path: str) -> None:
    assert matched(path, shadows(("code",)))


@pytest.mark.parametrize(
    "path",
    [
        "app.py", "src/app/packaging/__init__.py", "README.md", "docs/guide.md", "src/latest.py", "contest.py", "src/index.ts",
        "requirements.txt", "src/attestation.go", "lib/protest.rb", "pkg/testing/fake.go", "setup.py", "models/net.pth", "src/spec.py",
    ],
)  # fmt: skip
def test_code_is_no_judge_by_its_name(path: str) -> None:
    assert not matched(path, (*TESTS, *SETTINGS, *INTRUDERS, *SHARED, *shadows()))
