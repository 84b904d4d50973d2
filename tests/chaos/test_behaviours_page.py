"""The page of behaviours is what the section tries."""

from chaos.behaviours import PAGE, behaviours, page


def test_the_page_is_written_from_the_section() -> None:
    assert PAGE.read_text("utf8") == page(), "renew it: python -m chaos.behaviours"


def test_each_behaviour_of_a_role_has_one_end() -> None:
    known = behaviours()
    assert len({(one.role, one.name) for one in known}) == len(known)
    assert len({one.name for one in known}) >= 40
