import pytest
from program import Motion, NotAllowed


def test_no_change_of_mind_after_the_end():
    motion = Motion(["a", "b"])
    motion.vote("a", "yes")
    motion.vote("a", "no")
    assert motion.close() == "rejected"
    with pytest.raises(NotAllowed):
        motion.vote("a", "yes")
    assert motion.votes == {"a": "no"}


def test_abstain_counts_for_turnout():
    motion = Motion("abcd")
    motion.vote("a", "yes")
    motion.vote("b", "abstain")
    assert motion.turnout == 0.5
    assert motion.close() == "passed"
