"""Which files judge a change: tests, CI and lint configuration. A change does not get to edit its judge."""

# Git's globs: `**/` is any folder, also none.
JUDGE_FILES = (
    "**/test/**", "**/tests/**", "**/spec/**", "**/__tests__/**",
    "**/test_*.py", "**/*_test.py", "**/conftest.py",
    "**/*.test.[jt]s", "**/*.test.[jt]sx", "**/*.spec.[jt]s", "**/*.spec.[jt]sx",
    "**/*_test.go", "**/*Test.java", "**/*Tests.java", "**/*_spec.rb",
    ".github/workflows/**", ".gitlab-ci.yml", ".circleci/**", "Jenkinsfile", ".pre-commit-config.yaml",
    "**/pytest.ini", "**/tox.ini", "**/noxfile.py", "**/.coveragerc",
    "**/ruff.toml", "**/.ruff.toml", "**/mypy.ini", "**/.flake8", "**/.pylintrc",
    "**/eslint.config.*", "**/.eslintrc*", "**/jest.config.*", "**/vitest.config.*",
    "**/.golangci.yml", "**/clippy.toml", "**/.rubocop.yml",
)  # fmt: skip
