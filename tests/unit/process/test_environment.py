"""Children get an allow-list of the environment."""

from __future__ import annotations

from burnish.process.environment import child_environment

OURS = {
    "PATH": "/usr/bin:.:bin::/bin",
    "HOME": "/home/u",
    "LC_TIME": "C",
    "LC_SECRET": "canary",
    "AWS_SECRET_ACCESS_KEY": "canary",
    "ANTHROPIC_API_KEY": "canary",
    "SSH_AUTH_SOCK": "/run/agent",
    "LD_PRELOAD": "/tmp/evil.so",
    "PYTHONPATH": "/tmp",
    "GIT_DIR": "/home/u/project/.git",
    "GIT_SSH_COMMAND": "touch ran",
    "https_proxy": "http://proxy:3128",
    "HTTP_PROXY": "http://user:canary@proxy:3128",
}


def test_only_what_is_on_the_list_is_passed() -> None:
    assert child_environment(OURS) == {
        "PATH": "/usr/bin:/bin",
        "HOME": "/home/u",
        "LC_TIME": "C",
        "https_proxy": "http://proxy:3128",
    }


def test_a_variable_passed_by_name_or_prefix_is_added() -> None:
    got = child_environment(OURS, ["ANTHROPIC_*", "HTTP_PROXY"])
    assert got["ANTHROPIC_API_KEY"] == "canary"
    assert got["HTTP_PROXY"] == "http://user:canary@proxy:3128"
    assert "AWS_SECRET_ACCESS_KEY" not in got


def test_git_variables_are_never_passed_not_even_by_name() -> None:
    assert not [
        name for name in child_environment(OURS, ["GIT_*", "GIT_DIR", "*"]) if name.startswith("GIT_")
    ]
