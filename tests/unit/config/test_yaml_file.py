"""burnish.yaml holds the same settings, in a part of YAML that holds no traps."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.config.files import ConfigFile
from burnish.config.load import Loaded, Sources, load
from burnish.errors import UsageError
from burnish.model.sandbox_mode import SandboxMode

pytest.importorskip("yaml")
NAME = "burnish.yaml at base"


def yaml(text: str) -> Loaded:
    return load(Sources(repository=(ConfigFile(NAME, text.encode("utf8", "surrogatepass"), yaml=True),)))


def refused(text: str) -> UsageError:
    with pytest.raises(UsageError) as caught:
        yaml(text)
    return caught.value


def test_the_same_settings_can_be_written_as_yaml() -> None:
    loaded = yaml("profile: task\nlimits:\n  cycles: 4\ngate:\n  protect: [a.py, b.py]\n")
    assert (loaded.settings.profile, loaded.settings.limits.cycles) == ("task", 4)
    assert loaded.settings.gate.protect == ("a.py", "b.py")
    assert loaded.origins["limits.cycles"] == NAME


def test_an_empty_file_says_nothing() -> None:
    assert set(yaml("# nothing\n").origins.values()) == {"default"}


def test_off_is_a_word_and_not_a_boolean() -> None:
    assert yaml("sandbox:\n  mode: off\n  network: false\n").settings.sandbox.mode is SandboxMode.OFF
    assert "must be true or false, found 'no'" in refused("sandbox: {network: no}").message


def test_an_unknown_key_is_refused_with_its_line() -> None:
    error = refused("profile: task\nlimits:\n  cycels: 4\n")
    assert error.message == f"{NAME}, line 3: unknown key 'limits.cycels'"
    assert error.hint.startswith("did you mean limits.cycles?")


def test_an_alias_bomb_is_refused_at_its_first_alias() -> None:
    levels = "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join([f'*{chr(97 + n)}'] * 9)}]\n" for n in range(9)
    )
    error = refused(f"a: &a [lol, lol]\n{levels}")
    assert "aliases such as *a are not accepted" in error.message


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("profile: a\nprofile: b\n", "a key is given twice in the table at line 1"),
        ("limits:\n  cycles: 1\n  cycles: 2\n", "a key is given twice in the table at line 2"),
        ("- a\n- b\n", "expected keys and values, found a list"),
        ("profile: [a\n", "is not valid YAML"),
        ("1: a\n", "every key must be a text"),
        ("profile: !!python/object/apply:os.system [id]\n", "is not valid YAML"),
        ("profile: a\n---\nprofile: b\n", "is not valid YAML"),
        ("profile: " + "[" * 5000, "nested too deeply"),
        ("profile: 2024-13-45\n", "is not valid YAML"),
        ("profile: 2024-01-02\n", "profile must be a text that is not empty, found the date 2024-01-02"),
    ],
)
def test_what_is_not_plain_yaml_gets_one_sentence(text: str, sentence: str) -> None:
    error = refused(text)
    assert sentence in error.message
    assert error.message.startswith(NAME)
    assert "\n" not in error.message


@given(st.text(alphabet="ab:*&-[]{}!<\n \t'\"#|>%0.~?,\\", max_size=60) | st.text(max_size=60))
def test_whatever_is_in_a_file_the_answer_is_settings_or_a_sentence(text: str) -> None:
    try:
        yaml(text)
    except UsageError as error:
        assert error.message.startswith(NAME)
        assert "\n" not in error.message


def test_without_the_yaml_extra_the_user_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    assert refused("profile: task").hint.startswith("pip install 'burnish[yaml]'")
