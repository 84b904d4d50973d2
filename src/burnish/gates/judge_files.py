"""Which files judge a change: tests, CI and lint configuration. A change does not get to edit its judge."""

# Globs over the whole path; `*` also matches `/`.
JUDGE_FILES = (
    "test/*", "tests/*", "*/test/*", "*/tests/*", "spec/*", "*/spec/*", "__tests__/*",
    "*/__tests__/*",
    "test_*.py", "*/test_*.py", "*_test.py", "conftest.py", "*/conftest.py",
    "*.test.[jt]s", "*.test.[jt]sx", "*.spec.[jt]s", "*.spec.[jt]sx",
    "*_test.go", "*Test.java", "*Tests.java", "*_spec.rb", "*_test.rs",
    ".github/workflows/*", ".gitlab-ci.yml", ".circleci/*", "Jenkinsfile", ".pre-commit-config.yaml",
    "pytest.ini", "tox.ini", "noxfile.py", ".coveragerc",
    "ruff.toml", ".ruff.toml", "mypy.ini", ".flake8", ".pylintrc",
    "eslint.config.*", ".eslintrc*", "jest.config.*", "vitest.config.*",
    ".golangci.yml", "clippy.toml", ".rubocop.yml",
)  # fmt: skip
