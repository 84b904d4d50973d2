"""Changes that are green by themselves, and not always together; as shell scripts, for one small project."""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import StrEnum, auto

GATE = "sh check.sh"
# With one more of them, the test that each brings along is red.
MOST_REGISTERED = 2
SETTINGS = "".join(f"setting {number}\n" for number in range(8))
FILES = {
    "check.sh": "for t in tests/*.sh; do sh $t || { echo red: $t; exit 1; }; done\n",
    "lib.sh": "area() { echo $(($1 * $2)); }\n",
    "uses/first.sh": ". ./lib.sh\narea 2 3\n",
    "tests/uses.sh": "for u in uses/*.sh; do sh $u > /dev/null 2>&1 || { echo $u; exit 1; }; done\n",
    "registry/none": "",
    "settings.txt": SETTINGS,
    "budget/own": "3\n",
    "tests/budget.sh": "total=0; for n in $(cat budget/*); do total=$((total + n)); done\n[ $total -le 10 ] || { echo $total; exit 1; }\n",
    "notes.md": "notes\n",
}


class Kind(StrEnum):
    REGISTER = auto()  # each adds itself and a test that there are not too many
    RENAME = auto()  # a function and all that use it
    USE = auto()  # one more use of that function, by its old name
    EDIT = auto()  # the same line as others
    SPEND = auto()  # of a budget that is enough for one
    HALVES = auto()  # two commits, the first of them red
    INNOCENT = auto()  # goes together with everything


USUAL = (*[Kind.REGISTER] * 3, Kind.RENAME, Kind.USE, Kind.EDIT, Kind.SPEND, Kind.HALVES)


@dataclass(frozen=True)
class Change:
    """`scripts` make its commits."""

    run: str
    kind: Kind

    @property
    def scripts(self) -> tuple[str, ...]:
        name = self.run
        count = f"[ $(ls registry | wc -l) -le {MOST_REGISTERED + 1} ]"
        match self.kind:
            case Kind.REGISTER:
                return (f"echo {name} > registry/{name}; echo '{count}' > tests/{name}.sh",)
            case Kind.RENAME:
                return ("sed -i s/area/surface/ lib.sh uses/*.sh",)
            case Kind.USE:
                return (f"printf '. ./lib.sh\\narea 4 5\\n' > uses/{name}.sh",)
            case Kind.EDIT:
                return (f"sed -i 's/^setting 4$/by {name}/' settings.txt",)
            case Kind.SPEND:
                return (f"echo 4 > budget/{name}",)
            case Kind.HALVES:
                half = f"printf '. ./lib.sh\\nvolume 4 5\\n' > uses/{name}.sh"
                return (half, f"echo 'true' > uses/{name}.sh")
            case Kind.INNOCENT:
                return (f"echo {name} > {name}.txt",)


def changes(chance: random.Random, count: int) -> list[Change]:
    """The usual ones, some of them exchanged, in another order each time."""
    kinds = [kind if chance.random() < 0.8 else chance.choice(list(Kind)) for kind in USUAL]
    chance.shuffle(kinds)
    return [Change(f"r-{number}", kind) for number, kind in enumerate(kinds[:count], 1)]
