"""The benchmark of the queue runs, and its made-up queue is one in every state."""

from __future__ import annotations

from bench.__main__ import rendered, run


def test_the_section_about_the_queue_measures_what_it_says() -> None:
    page = run("queue_status", quick=True)
    text = rendered("queue_status", page, "python -m bench queue_status", 1)
    assert "CPU of `burnish status` with 300 tasks" in text
    assert text.count("| `burnish ") == 6
