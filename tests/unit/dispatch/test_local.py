"""Runs in this process: bounded, and each can be cancelled."""

from __future__ import annotations

import asyncio

import pytest

from burnish.dispatch.local import LocalDispatch
from burnish.errors import RunBusy


def test_never_more_runs_at_once_than_allowed() -> None:
    busy: list[str] = []
    most = 0

    async def scenario() -> list[int]:
        dispatch = LocalDispatch(at_once=3)

        def work(name: str):  # type: ignore[no-untyped-def]
            async def run() -> int:
                nonlocal most
                busy.append(name)
                most = max(most, len(busy))
                await asyncio.sleep(0.005)
                busy.remove(name)
                return int(name)

            return run

        return await asyncio.gather(*(dispatch.submit(str(n), work(str(n))) for n in range(12)))

    assert asyncio.run(scenario()) == list(range(12))
    assert most == 3


def test_a_cancelled_run_cleans_up_before_cancel_returns_and_exits_130() -> None:
    story: list[str] = []

    async def scenario() -> list[int]:
        dispatch = LocalDispatch(at_once=1)

        async def slow() -> int:
            story.append("began")
            try:
                await asyncio.sleep(60)
            finally:
                await asyncio.sleep(0.01)
                story.append("cleaned up")
            return 0

        async def never() -> int:
            story.append("must not begin")
            return 0

        working = asyncio.ensure_future(dispatch.submit("r-1", slow))
        waiting = asyncio.ensure_future(dispatch.submit("r-2", never))
        await asyncio.sleep(0.01)
        await dispatch.cancel("r-2")
        await dispatch.cancel("r-1")
        story.append("cancel returned")
        await dispatch.cancel("r-unknown")
        return [await working, await waiting]

    assert asyncio.run(scenario()) == [130, 130]
    assert story == ["began", "cleaned up", "cancel returned"]


def test_a_cancelled_caller_is_told_so_and_takes_its_run_along() -> None:
    ended: list[str] = []

    async def scenario() -> None:
        dispatch = LocalDispatch()

        async def slow() -> int:
            try:
                await asyncio.sleep(60)
            finally:
                ended.append("run")
            return 0

        async with asyncio.timeout(0.02):
            await dispatch.submit("r-1", slow)

    with pytest.raises(TimeoutError):
        asyncio.run(scenario())
    assert ended == ["run"]


def test_what_a_run_raises_reaches_its_caller_and_frees_the_place() -> None:
    async def scenario() -> int:
        dispatch = LocalDispatch()

        async def breaks() -> int:
            raise OSError("gone")

        async def works() -> int:
            return 4

        with pytest.raises(OSError, match="gone"):
            await dispatch.submit("r-1", breaks)
        return await dispatch.submit("r-1", works)

    assert asyncio.run(scenario()) == 4


def test_one_run_is_not_at_work_twice() -> None:
    async def scenario() -> None:
        dispatch = LocalDispatch(at_once=2)

        async def slow() -> int:
            await asyncio.sleep(60)
            return 0

        async with asyncio.TaskGroup() as group:
            first = group.create_task(dispatch.submit("r-1", slow))
            await asyncio.sleep(0)
            with pytest.raises(RunBusy, match="already at work"):
                await dispatch.submit("r-1", slow)
            await dispatch.cancel("r-1")
            assert await first == 130

    asyncio.run(scenario())


def test_no_room_at_all_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        LocalDispatch(0)
