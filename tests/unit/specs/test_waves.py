"""Phases go in waves: each once, behind what it depends on, never two on one file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burnish.errors import UsageError
from burnish.specs.phase import Dependency, Phase, checked
from burnish.specs.waves import blocked_by, waves

FILES = st.sampled_from(["a.py", "./a.py", "b.py", "src", "src/", "src/c.py", "src/d/e.py", "src/d/*.py"])


def phase(num: int, *depends: int, soft: tuple[int, ...] = (), files: tuple[str, ...] = ()) -> Phase:
    hard = tuple(Dependency(other) for other in depends)
    return Phase(
        num, f"P{num}", depends=(*hard, *(Dependency(other, hard=False) for other in soft)), files=files
    )


@st.composite
def plans(draw: st.DrawFn) -> list[Phase]:
    """Phases that depend on others with a smaller rank, so never in a circle, in any order and numbering."""
    nums = draw(st.lists(st.integers(0, 60), min_size=1, max_size=12, unique=True))
    found = []
    for rank, num in enumerate(nums):
        others = st.lists(st.sampled_from(nums[:rank]), max_size=3, unique=True) if rank else st.just([])
        depends = tuple(Dependency(other, hard=draw(st.booleans())) for other in draw(others))
        found.append(Phase(num, "p", depends=depends, files=tuple(draw(st.lists(FILES, max_size=2)))))
    return draw(st.permutations(found))


@pytest.mark.conformance("O-50")
@given(plans())
def test_each_phase_goes_once_and_behind_all_it_depends_on(plan: list[Phase]) -> None:
    found = waves(plan)
    order = [num for wave in found for num in wave]
    assert sorted(order) == sorted(phase.num for phase in plan)
    at = {num: index for index, wave in enumerate(found) for num in wave}
    for one in plan:
        assert all(at[other.phase] < at[one.num] for other in one.depends)


@given(plans())
def test_a_wave_never_has_the_same_file_twice(plan: list[Phase]) -> None:
    files = {one.num: {path.removeprefix("./").rstrip("/") for path in one.files} for one in plan}
    below = {"src": {"src/c.py", "src/d/e.py", "src/d/*.py"}, "src/d/*.py": {"src/d/e.py"}}
    for wave in waves(plan):
        for num in wave:
            taken = {path for other in wave if other != num for path in files[other]}
            assert not files[num] & taken
            assert not {path for folder in files[num] for path in below.get(folder, ())} & taken


@given(plans(), st.data())
def test_phases_in_a_circle_are_refused_by_name(plan: list[Phase], data: st.DataObject) -> None:
    first = data.draw(st.sampled_from(plan))
    others = tuple(one for one in plan if one.num != first.num)
    closing = Phase(70, "q", depends=(Dependency(first.num),))
    back = Phase(first.num, "p", depends=(*first.depends, Dependency(70, hard=data.draw(st.booleans()))))
    with pytest.raises(UsageError, match=rf"circle: .*phase {first.num}\b"):
        waves([*others, closing, back])


def test_phases_that_depend_on_nothing_go_together() -> None:
    assert waves([phase(3), phase(1), phase(2, 1)]) == ((1, 3), (2,))


def test_one_file_in_two_phases_splits_their_wave() -> None:
    plan = [phase(1, files=("a.py",)), phase(2, files=("./a.py",)), phase(3, files=("b.py",)), phase(4, 1)]
    assert waves(plan) == ((1, 3), (2,), (4,))


def test_a_dependency_outside_of_the_plan_is_settled() -> None:
    assert waves([phase(2, 1), phase(3, 2)]) == ((2,), (3,))


def test_a_failure_blocks_what_needs_it_and_what_needs_that() -> None:
    plan = [phase(1), phase(2, 1), phase(3, 2), phase(4, soft=(1,)), phase(5)]
    assert blocked_by(plan, [1]) == {
        2: "phase 2 needs phase 1, which failed",
        3: "phase 3 needs phase 2, which is blocked",
    }
    assert blocked_by(plan, []) == {}
    assert blocked_by(plan, [1, 2]) == {3: "phase 3 needs phase 2, which failed"}


@pytest.mark.parametrize(
    ("plan", "sentence"),
    [
        ([phase(1), phase(1)], "has phase 1 twice: 'P1' and 'P1'"),
        ([phase(1), phase(2, 7)], "phase 2 depends on phase 7, which there is not (there is: 1, 2)"),
        ([phase(1, 1)], "phase 1 depends on itself"),
        (
            [phase(1, 3), phase(2, 1), phase(3, soft=(2,)), phase(4, 3)],
            "in a circle: phase 1 -> phase 3 -> phase 2 -> phase 1",
        ),
        ([phase(num) for num in range(501)], "has 501 phases; at most 500"),
    ],
)
def test_what_cannot_be_a_plan_is_told_with_its_phases(plan: list[Phase], sentence: str) -> None:
    with pytest.raises(UsageError) as caught:
        checked("spec.md", plan)
    assert sentence in caught.value.message
    assert caught.value.message.startswith("spec.md")


@given(plans())
def test_a_plan_is_in_the_order_of_its_numbers(plan: list[Phase]) -> None:
    assert list(checked("spec.md", plan)) == sorted(plan, key=lambda one: one.num)
