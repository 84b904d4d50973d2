import pytest
from program import Motion, NotAllowed


def motion(**votes):
    result = Motion(["ada", "bob", "cy", "dan"])
    for member, choice in votes.items():
        result.vote(member, choice)
    return result


def test_passed():
    assert motion(ada="yes", bob="yes", cy="no").close() == "passed"


def test_rejected():
    assert motion(ada="yes", bob="no").close() == "rejected"


def test_void():
    assert motion(ada="yes").close() == "void"


def test_closed():
    vote = motion(ada="yes", bob="no")
    vote.close()
    with pytest.raises(NotAllowed):
        vote.vote("cy", "yes")


def test_stranger():
    with pytest.raises(NotAllowed):
        motion(eve="yes")
    with pytest.raises(ValueError):
        motion(ada="maybe")
