"""Names that are shown, used as folders, or refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.git.names import first_line, means_git, shown, slug


@pytest.mark.parametrize(
    "name",
    [
        b".git", b".GIT", b".Git", b".git ", b".git.", b".git . .", b"git~1", b"GIT~1", b"git~2",
        b".git::$INDEX_ALLOCATION", b".g\xe2\x80\x8cit", b"\xe2\x80\x8d.git", b".gi\xef\xbb\xbft", b"a\\.git\\config",
    ],
)  # fmt: skip
def test_every_disguise_of_the_git_folder_is_seen_through(name: bytes) -> None:
    assert means_git(name)


@pytest.mark.parametrize(
    "name", [b".gitignore", b".gitattributes", b".gitmodules", b".github", b"git", b"x.git", b"\xe9.git"]
)
def test_ordinary_names_that_look_a_bit_like_it_are_not_refused(name: bytes) -> None:
    assert not means_git(name)


@given(st.binary())
def test_a_shown_path_can_be_printed_stored_and_holds_no_control_characters(path: bytes) -> None:
    text = shown(path)
    text.encode("utf8")
    assert not any(ord(char) < 0x20 or 0x7F <= ord(char) < 0xA0 for char in text)
    assert "\u202e" not in text


def test_a_plain_path_is_shown_as_it_is() -> None:
    assert shown("src/naïve file.py".encode()) == "src/naïve file.py"


@given(st.text())
def test_a_slug_is_a_safe_folder_name_whatever_the_label(label: str) -> None:
    name = slug(label)
    assert 0 < len(name) <= 40
    assert name.isascii()
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert not name.startswith("-")


def test_the_loud_line_of_git_is_the_one_that_is_told() -> None:
    assert first_line(b"warning: x\nfatal: bad \x1b[31mthing\n") == "bad \\x1b[31mthing"
    assert first_line(b"only this\nand that") == "only this"
    assert first_line(b"") == ""


def test_a_long_complaint_keeps_the_reason_at_its_end() -> None:
    said = first_line(b"fatal: Unable to create '/" + b"deep/" * 1000 + b"x.lock': File exists.")
    assert said.startswith("Unable to create '/deep/")
    assert said.endswith("x.lock': File exists.")
    assert len(said) == 300
