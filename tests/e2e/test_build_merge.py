"""`burnish build` where loops come together: at the end of a group, and around what is the user's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.builds import BUILDER, DOCUMENT, Builds, task
from tests.repos import TestRepo


@pytest.mark.conformance("P-05")
def test_loops_wait_for_each_other_at_the_end_of_a_group(
    tmp_path: Path, repo: Callable[..., TestRepo]
) -> None:
    """The next group begins when the slowest is through, from a branch that has all of the first."""
    tasks = (task("cart"), task("till"), task("shop", "cart", "till"))
    groups = (("cart", "till"), ("shop",))
    builds = Builds(tmp_path / "agents", repo({"shop.md": DOCUMENT}), tasks, groups)
    builds.agent(
        "implementer", "(log / f\"saw-{mine['id']}\").write_text(' '.join(os.listdir()))\n" + BUILDER
    )
    builds.agent(
        "reviewer",
        "result(True) if mine['id'] != 'cart' or times('loop') > 1 else result(False, 'Too slow.')\n",
    )
    said = builds.run("--effort", "low")
    assert said.code == 0, said.err
    asked = [step for step in builds.steps if step.startswith(("cart-", "till-", "shop-"))]
    assert asked[-2:] == ["shop-build-implement-1", "shop-loop-review-1"]
    assert "cart-revise-fix-1" in asked
    assert {"cart.txt", "till.txt"} <= set((builds.log / "saw-shop").read_text().split())
    assert not {"cart.txt", "till.txt"} & set((builds.log / "saw-till").read_text().split())


def test_a_file_of_the_users_in_the_way_stops_the_merge_and_going_on_finishes_it(
    tmp_path: Path, repo: Callable[..., TestRepo]
) -> None:
    builds = Builds(tmp_path / "agents", repo({"shop.md": DOCUMENT}), (task("cart"),), (("cart",),))
    builds.repo.write("cart.txt", "mine\n")
    said = builds.run("--effort", "low")
    assert said.code == 1
    assert "cart.txt is in the way" in said.err
    assert (builds.repo.path / "cart.txt").read_text() == "mine\n"
    assert builds.subjects() == ["first"]
    (builds.repo.path / "cart.txt").rename(tmp_path / "kept")
    assert builds.run("--resume").code == 0
    assert builds.subjects() == ["Make the cart", "first"]
    assert len([step for step in builds.steps if step.startswith("cart-build")]) == 1
