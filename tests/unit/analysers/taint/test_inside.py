"""What lies inside of a value is found however it is nested, and each object is looked into once."""

from __future__ import annotations

import random

import pytest

from burnish.analysers.taint.memory.inside import carries, parts
from burnish.analysers.taint.memory.things import Obj
from burnish.analysers.taint.memory.values import Cell, Origin, Taint, Value, constant, of

UNTRUSTED = Value((Taint(Origin("request", "the lab"), Cell("app.py", 1, "")),))
DEPTH = 4


class Counted(Obj):
    """An object that knows how often it was looked into."""

    __slots__ = ("looked",)

    def __init__(self) -> None:
        super().__init__("instance")
        self.looked = 0

    def everything(self) -> Value:
        self.looked += 1
        return super().everything()


def test_objects_that_all_have_each_other_are_not_looked_into_on_every_way() -> None:
    objects = [Counted() for _ in range(12)]
    for one in objects:
        one.table |= {f".a{number}": of(other) for number, other in enumerate(objects)}
    assert not parts(of(objects[0])).taints
    assert max(one.looked for one in objects) <= DEPTH


def test_untrusted_data_is_seen_as_deep_as_anybody_looks_and_no_deeper() -> None:
    held = UNTRUSTED
    for depth in range(DEPTH + 2):
        assert (carries(held), bool(parts(held).taints)) == (depth <= DEPTH, depth <= DEPTH)
        holder = Obj("dict")
        holder.table["k", "a"] = held
        held = of(holder)


@pytest.mark.parametrize("seed", range(30))
def test_asking_for_untrusted_data_and_taking_it_out_agree(seed: int) -> None:
    chance = random.Random(seed)
    objects = [Obj(chance.choice(("dict", "list", "instance", "encoded"))) for _ in range(8)]
    for one in objects:
        for key in chance.sample([("k", 1), ".a", ".b", "rest", "keys", "tail", "items", "other"], 3):
            value = chance.choice([UNTRUSTED, constant("a"), *map(of, objects), *map(of, objects)])
            one.table[key] = (value,) if key == "items" else value
    for one in objects:
        assert carries(of(one)) == bool(parts(of(one)).taints)
