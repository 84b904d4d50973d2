"""Ways in which a repository tries to have its own code run by whoever only reads it; {mark} is where it shows."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.repos import TestRepo

PYTHON = "import pathlib\npathlib.Path({mark!r}).write_text('ran')\n"
SHELL = "#!/bin/sh\necho ran > '{mark}'\n"
TOOLS = (
    *("ruff", "ast-grep", "sg", "ty", "oxlint", "mypy", "lizard", "detect-secrets", "semgrep", "eslint"),
    *(
        "shellcheck",
        "hadolint",
        "zizmor",
        "golangci-lint",
        "cargo",
        "node",
        "python",
        "python3",
        "pytest",
        "sh",
    ),
)
HERE = Path(sys.executable).parent


@dataclass(frozen=True)
class Trick:
    """`files` go into the tree (scripts become executable), `config` into .git/config, `env` around Burnish.

    `plain` is what an unsuspecting tool would be called with there: it shows that the trick works.
    """

    files: Mapping[str, str] = field(default_factory=dict)
    config: tuple[tuple[str, str], ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    plain: str = ""


def _programs(folder: str) -> dict[str, str]:
    return {f"{folder}/{name}": SHELL for name in TOOLS}


TRICKS: dict[str, Trick] = {
    "ruff.toml with a cache elsewhere": Trick({"ruff.toml": "cache-dir = '{mark}'\n"}, plain="ruff check ."),
    ".ruff.toml that extends another": Trick(
        {
            "low/.ruff.toml": "extend = '../more.toml'\n",
            "low/a.py": "x = 1\n",
            "more.toml": "cache-dir = '{mark}'\n",
        },
        plain="ruff check low",
    ),
    "pyproject.toml of ruff": Trick(
        {"pyproject.toml": "[tool.ruff]\nfix = true\ncache-dir = '{mark}'\n"}, plain="ruff check ."
    ),
    "a module named lizard": Trick(
        {"lizard.py": PYTHON, "lizard_core/__init__.py": PYTHON}, plain="python -m lizard calc.py"
    ),
    "modules named as what Burnish imports": Trick(
        {f"{name}.py": PYTHON for name in ("click", "rich", "pydantic", "sqlalchemy", "psutil", "unidiff")},
        plain="python -c 'import click'",
    ),
    "modules named as the standard library": Trick(
        {
            f"{name}.py": PYTHON
            for name in ("ast", "resource", "tokenize", "tomllib", "sqlite3", "detect_secrets")
        },
        plain="python -c 'import tomllib'",
    ),
    "sitecustomize.py": Trick({"sitecustomize.py": PYTHON}, plain="PYTHONPATH=. python -c pass"),
    "usercustomize.py": Trick({"usercustomize.py": PYTHON}, plain="PYTHONPATH=. python -c pass"),
    "a .pth file beside the code": Trick(
        {"evil.pth": "import pathlib; pathlib.Path({mark!r}).write_text('ran')\n"},
        plain="python -c \"import site; site.addsitedir('.')\"",
    ),
    "an environment in the tree": Trick(
        {
            ".venv/pyvenv.cfg": "home = /usr/bin\nversion = 3.11\n",
            ".venv/bin/python": SHELL,
            ".venv/bin/python3": SHELL,
            ".venv/lib/python3.11/site-packages/evil.pth": "import pathlib; pathlib.Path({mark!r}).touch()\n",
        },
        plain=".venv/bin/python",
    ),
    ".env and .envrc": Trick(
        {
            ".env": "PYTHONPATH=.\nPYTHONSTARTUP=start.py\nBASH_ENV=start.sh\n",
            ".envrc": SHELL,
            "start.sh": SHELL,
        },
        plain=". ./.envrc",
    ),
    "conftest.py and a pytest plugin": Trick(
        {
            "conftest.py": PYTHON,
            "pytest.ini": "[pytest]\naddopts = -p evil_plugin\n",
            "evil_plugin.py": PYTHON,
        },
        plain="python -m pytest -q",
    ),
    "a plugin of mypy": Trick(
        {"mypy.ini": "[mypy]\nplugins = ./plug.py\n", "plug.py": PYTHON}, plain="mypy calc.py"
    ),
    "an interpreter named for mypy": Trick(
        {"setup.cfg": "[mypy]\npython_executable = ./evil-python\n", "evil-python": SHELL},
        plain="mypy calc.py",
    ),
    "an interpreter named for ty": Trick(
        {"ty.toml": "[environment]\npython = './evil-python'\n", "evil-python": SHELL}, plain="ty check"
    ),
    "an init-hook of pylint": Trick(
        {".pylintrc": "[MAIN]\ninit-hook='import pathlib; pathlib.Path(\"{mark}\").touch()'\n"}
    ),
    "a plugin of oxlint": Trick(
        {
            ".oxlintrc.json": '{{"jsPlugins": ["./plug.js"], "rules": {{"evil/x": "error"}}}}\n',
            "plug.js": "require('fs').writeFileSync({mark!r}, 'ran'); export default {{}};\n",
        },
        plain="node plug.js",
    ),
    "a configuration of eslint": Trick(
        {
            "eslint.config.js": "require('fs').writeFileSync({mark!r}, 'ran');\nmodule.exports = [];\n",
            ".eslintrc.js": "require('fs').writeFileSync({mark!r}, 'ran');\nmodule.exports = {{}};\n",
            "package.json": '{{"type": "commonjs"}}\n',
        },
        plain="node eslint.config.js",
    ),
    "a language of its own for ast-grep": Trick(
        {
            "sgconfig.yml": "ruleDirs: [.]\ncustomLanguages:\n  evil:\n    libraryPath: evil.so\n    extensions: [py]\n",
        },
        plain="ast-grep scan",
    ),
    "rules for semgrep": Trick(
        {".semgrep.yml": "rules: []\n", ".semgrep/settings.yml": "anonymous_user_id: x\n"}
    ),
    "tools in the tree, PATH relative": Trick(
        _programs("bin") | _programs("node_modules/.bin"),
        env={"PATH": ".:bin:node_modules/.bin::./bin:{path}"},
        plain="PATH=bin:$PATH ruff",
    ),
    "tools in the tree, PATH absolute": Trick(
        {path: text for path, text in _programs("bin").items() if path != "bin/git"},
        env={"PATH": "{repo}/bin:{path}"},
        plain="PATH=$PWD/bin:$PATH ruff",
    ),
    "a git in the tree": Trick({"git": SHELL}, env={"PATH": ".::{path}"}, plain="PATH=.:$PATH git status"),
    "a Makefile that runs as it is read": Trick(
        {"Makefile": "X := $(shell echo ran > '{mark}')\ntest:\n\t@echo $(X)\n"}, plain="make -n"
    ),
    "scripts of package.json": Trick(
        {
            "package.json": '{{"scripts": {{"pretest": "echo > {mark}", "test": "echo > {mark}", "prepare": "echo > {mark}"}}}}\n'
        },
        plain="npm test",
    ),
    "setup.py and a build backend": Trick(
        {
            "setup.py": PYTHON,
            "pyproject.toml": "[build-system]\nrequires = []\nbuild-backend = 'back'\nbackend-path = ['.']\n",
            "back.py": PYTHON,
        },
        plain="python setup.py",
    ),
    "tox, nox and tasks": Trick(
        {"tox.ini": "[tox]\n[testenv]\ncommands = touch {mark}\n", "noxfile.py": PYTHON, "tasks.py": PYTHON},
        plain="python noxfile.py",
    ),
    "build.rs and a toolchain": Trick(
        {
            "Cargo.toml": "[package]\nname = 'x'\nversion = '0.1.0'\nbuild = 'build.rs'\n",
            "build.rs": 'fn main() {{ std::fs::write("{mark}", "ran").unwrap(); }}\n',
            "src/main.rs": "fn main() {{}}\n",
            ".cargo/config.toml": "[build]\nrustc-wrapper = './evil-python'\n",
            "evil-python": SHELL,
        }
    ),
    "an encoding of its own": Trick(
        {"odd.py": "# -*- coding: evil -*-\nx = 1\n", "evil.py": PYTHON, "encodings/evil.py": PYTHON}
    ),
    "names that look like options": Trick(
        {
            "--config=evil.toml.py": "x = 1\n",
            "-c.py": "x = 1\n",
            "@arguments.py": "--config=evil.toml\n",
            "evil.toml": "cache-dir = '{mark}'\n",
            "$(touch x).py": "x = 1\n",
            "a;touch x.py": "x = 1\n",
        },
        plain="ruff check @arguments.py",
    ),
    "filters of git": Trick(
        {".gitattributes": "run.sh filter=evil diff=evil merge=evil\n"},
        config=(
            ("filter.evil.clean", "echo ran > '{mark}'; cat"),
            ("filter.evil.smudge", "echo ran > '{mark}'; cat"),
            ("filter.evil.process", "sh -c \"echo ran > '{mark}'\""),
            ("diff.evil.textconv", "echo ran > '{mark}'; cat"),
            ("diff.evil.command", "sh -c \"echo ran > '{mark}'\""),
        ),
        plain="git diff",
    ),
    "hooks and programs of git": Trick(
        {
            "hooks/post-index-change": SHELL,
            "hooks/post-checkout": SHELL,
            "hooks/reference-transaction": SHELL,
        },
        config=(
            ("core.hooksPath", "{repo}/hooks"),
            ("core.fsmonitor", "sh -c \"echo ran > '{mark}'\""),
            ("core.pager", "sh -c \"echo ran > '{mark}'; cat\""),
            ("diff.external", "sh -c \"echo ran > '{mark}'\""),
            ("alias.status", "!echo ran > '{mark}'"),
        ),
        plain="git diff",
    ),
}


def lay(trick: Trick, repo: TestRepo, mark: Path) -> dict[str, str]:
    """Put it into a repository; the environment it needs."""
    words = {"mark": str(mark), "repo": str(repo.path), "path": os.environ["PATH"]}
    for path, text in trick.files.items():
        script = text.startswith("#!")
        repo.write(path, text.format(**words), mode=0o755 if script else 0o644)
    if "customLanguages" in str(trick.files):
        shared_object(repo.path / "evil.so", mark)
    for key, value in trick.config:
        repo.git("config", key, value.format(**words))
    return {name: value.format(**words) for name, value in trick.env.items()}


def shared_object(path: Path, mark: Path) -> None:
    """Code that runs when it is loaded; where there is no compiler, a file that is none."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    code = f'#include <stdio.h>\n__attribute__((constructor)) void go(void) {{ fopen("{mark}", "w"); }}\n'
    if compiler is None:
        path.write_bytes(b"no library")
        return
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-x", "c", "-", "-o", str(path)], input=code.encode(), check=True
    )


def walks_in(trick: Trick, repo: TestRepo, mark: Path) -> bool:
    """Whether a plain tool, called there as people do, runs what the trick wants run."""
    if not trick.plain:
        return False
    path = f"{HERE}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(
        ["/bin/sh", "-c", trick.plain], cwd=repo.path, env={**os.environ, "PATH": path}, capture_output=True,
        check=False, timeout=120, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    found = mark.exists()
    if mark.is_dir():
        shutil.rmtree(mark)
    elif found:
        mark.unlink()
    return found
