"""A desk's folder is named after its step and lies in its place, whatever the step's parts are called."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from burnish.errors import StoreError
from burnish.model.step import Role, Step
from burnish.store.desks import FolderDesks

PARTS = st.one_of(
    st.sampled_from(["..", "../../x", "/etc", "a b", "a_b", "a\0b", ".", "x" * 300]), st.text(max_size=30)
)


@settings(max_examples=40, deadline=None)
@given(one=PARTS, other=PARTS)
def test_every_part_has_a_desk_of_its_own_inside_of_the_folder(one: str, other: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        desks = [
            FolderDesks(folder).lay(Step(Role.REVIEW, 1, part=part), {"a.md": "x"}) for part in (one, other)
        ]
        assert {desk.inbox.resolve().parent.parent for desk in desks} == {folder}
        assert (desks[0].inbox == desks[1].inbox) == (one == other)


def test_an_ordinary_step_keeps_its_plain_name(tmp_path: Path) -> None:
    assert FolderDesks(tmp_path).lay(Step(Role.REVIEW, 2), {}).inbox == tmp_path / "review_2_1/inbox"


def test_a_link_in_the_place_of_a_desk_is_replaced_not_followed(tmp_path: Path) -> None:
    aim = tmp_path / "aim"
    aim.mkdir()
    step = Step(Role.REVIEW, 1)
    place = FolderDesks(tmp_path / "desks").lay(step, {}).inbox.parent
    shutil.rmtree(place)
    place.symlink_to(aim)
    FolderDesks(tmp_path / "desks").lay(step, {"review.md": "x"})
    assert list(aim.iterdir()) == []
    assert (place / "inbox/review.md").read_text() == "x"


def test_a_place_that_cannot_be_written_to_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "desks").touch()
    with pytest.raises(StoreError, match="laying out the files of step review//1//1 failed: Not a directory"):
        FolderDesks(tmp_path / "desks").lay(Step(Role.REVIEW, 1), {})
