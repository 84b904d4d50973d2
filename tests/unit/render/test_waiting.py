"""What waits for a person is shown with the command that answers it."""

from __future__ import annotations

from burnish.model.question import Waiting
from burnish.render.waiting import MOST_SHOWN, question_record, waiting_lines

LOOPS = [Waiting(f"r-shop-{number}", "Shop", f"Which {number}?") for number in range(1, MOST_SHOWN + 3)]


def test_each_waits_with_its_own_command() -> None:
    assert waiting_lines(LOOPS[:2]) == [
        "r-shop-1 asks: Which 1?",
        "  burnish answer r-shop-1 'YOUR ANSWER'",
        "r-shop-2 asks: Which 2?",
        "  burnish answer r-shop-2 'YOUR ANSWER'",
    ]


def test_a_long_question_is_cut_where_some_are_shown_and_whole_where_all_are() -> None:
    long = [Waiting("r-1", "Shop", f"{'with tax ' * 30}or not?")]
    assert waiting_lines(long)[0].endswith("…")
    assert waiting_lines(long, most=None)[0].endswith("with tax or not?")


def test_a_program_reads_the_same_with_the_whole_command() -> None:
    assert question_record(LOOPS[0]) == {
        "name": "r-shop-1",
        "title": "Shop",
        "question": "Which 1?",
        "answer_with": "burnish answer r-shop-1 'YOUR ANSWER'",
    }


def test_what_status_leaves_out_is_counted_and_shown_by_the_command_it_names() -> None:
    *_, last = waiting_lines(LOOPS)
    assert last == "2 more wait for an answer (burnish runs)"
    every = waiting_lines(LOOPS, most=None)
    assert len(every) == 2 * len(LOOPS)
    assert every[-1] == f"  burnish answer {LOOPS[-1].name} 'YOUR ANSWER'"
