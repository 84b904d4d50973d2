"""Which files judge a change: tests, CI and lint configuration. A change does not get to edit its judge."""

import re

STARTERS = (
    "sh", "bash", "dash", "zsh", "ksh", ".", "source", "exec", "command", "env", "time", "timeout", "nice",
    "nohup", "stdbuf", "sudo", "xvfb-run", "ionice", "setsid",
)  # fmt: skip
# Git's globs: `**/` is any folder, also none.
JUDGE_FILES = (
    "**/test/**", "**/tests/**", "**/spec/**", "**/__tests__/**",
    "**/test_*.py", "**/*_test.py", "**/conftest.py",
    "**/*.test.[jt]s", "**/*.test.[jt]sx", "**/*.spec.[jt]s", "**/*.spec.[jt]sx",
    "**/*_test.go", "**/*Test.java", "**/*Tests.java", "**/*_spec.rb",
    "**/Makefile", "**/makefile", "**/GNUmakefile", "**/justfile", "**/Justfile", "**/Taskfile.y*ml",
    ".github/workflows/**", ".gitlab-ci.yml", ".circleci/**", "Jenkinsfile", ".pre-commit-config.yaml",
    "**/pytest.ini", "**/tox.ini", "**/noxfile.py", "**/.coveragerc",
    "**/ruff.toml", "**/.ruff.toml", "**/mypy.ini", "**/.flake8", "**/.pylintrc",
    "**/eslint.config.*", "**/.eslintrc*", "**/jest.config.*", "**/vitest.config.*",
    "**/.golangci.yml", "**/clippy.toml", "**/.rubocop.yml",
)  # fmt: skip

# What decides how the judges work, though it may be new or hold much else: a green that needs these is none.
SETTINGS = (
    "**/conftest.py", "**/pytest.ini", "**/.pytest.ini", "**/tox.ini", "**/setup.cfg", "**/pyproject.toml",
    "**/sitecustomize.py", "**/usercustomize.py", "**/*.pth", "**/.coveragerc", "**/noxfile.py",
    "**/Makefile", "**/makefile", "**/GNUmakefile", "**/justfile", "**/Justfile", "**/.justfile",
    "**/Taskfile.y*ml", "**/package.json", "**/.npmrc", "**/jest.config.*", "**/vitest.config.*",
    "**/.mocharc*", "**/babel.config.*", "**/ruff.toml", "**/.ruff.toml", "**/mypy.ini", "**/.mypy.ini",
    "**/.flake8", "**/.pylintrc", "**/pylintrc", "**/eslint.config.*", "**/.eslintrc*", "**/.eslintignore",
    "**/.golangci.y*ml", "**/clippy.toml", "**/.clippy.toml", "**/.cargo/config*",
    "**/.rubocop.yml", "**/.rspec",
    # Modules of the runners' names shadow them where the current folder is on the path.
    "**/pytest.py", "**/pytest/**", "**/_pytest/**", "**/unittest.py", "**/unittest/**", "**/pluggy/**",
    "**/ruff.py", "**/mypy.py", "**/flake8.py", "**/pylint.py", "**/coverage.py", "**/tox.py", "**/nox.py",
)  # fmt: skip


def named_files(command: str) -> tuple[str, ...]:
    """The scripts that the gate's command line starts, such as `./check.sh`; not what those are given."""
    found = []
    for part in re.split(r"&&|\|\||[;|&\n(){}!]", command):
        words = [word for word in part.split() if "=" not in word]
        while words and words[0].rpartition("/")[2] in STARTERS:
            # What starts it, that one's flags, and the seconds or level it may be given.
            words = [word for word in words[1:] if not re.fullmatch(r"-.*|[\d.]+[smhd]?", word)]
        if words and ("/" in words[0] or words[0].endswith((".sh", ".bash"))):
            found.append(words[0].removeprefix("./"))
    return tuple(name for name in found if re.fullmatch(r"[\w.-][\w./-]*", name) and ".." not in name)
