"""What a task changed is printed whole, wherever its commit is, and whatever is in it."""

import asyncio
import os
import resource
from collections.abc import Callable
from pathlib import Path

import pytest

from burnish.app.place import Place, find_place
from burnish.app.start import workspaces_of
from burnish.app.task_diff import DiffRequest, diff_text
from burnish.errors import UsageError
from burnish.git.diff_stream import DiffForm
from tests.integration.git.sides import shell
from tests.repos import TestRepo, clone

MakeRepo = Callable[..., TestRepo]
RUN = "r-1"


async def made(place: Place, base: str, script: str) -> str:
    """A commit that only the run's own store has."""
    async with await workspaces_of(place, RUN, base) as workspaces:
        async with workspaces.open(await workspaces.tree(base), "x") as workspace:
            shell(workspace.path, script)
            tree = (await workspace.snapshot()).tree
        return await workspaces.commit(tree, base, "Change")


def printed(
    user: TestRepo, script: str, form: DiffForm = DiffForm.FULL, *, for_people: bool = False
) -> bytes:
    chunks: list[bytes] = []
    before = user.fingerprint(landed_aside=False)

    async def scenario() -> None:
        place = await find_place(user.path)
        base = place.repository.head
        request = DiffRequest(base, await made(place, base, script), RUN, form, for_people)
        total = await diff_text(place, request, chunks.append)
        assert bool(total) is bool(chunks)

    asyncio.run(scenario())
    assert user.fingerprint(landed_aside=False) == before
    return b"".join(chunks)


def test_the_diff_of_a_commit_that_only_the_run_has_can_be_applied(repo: MakeRepo) -> None:
    user = repo({"app.py": "one\n", "old.py": "".join(f"{n}\n" for n in range(50)), "b.bin": b"\0\1"})
    text = printed(user, "echo two > app.py; mv old.py new.py; printf 'x\\r\\033[31m' > esc; chmod +x app.py")
    assert b"rename from old.py\nrename to new.py\n" in text
    assert b"\x1b[31m" in text
    user.git("apply", "--index", stdin=text)
    assert user.git("status", "--porcelain").splitlines() == ["M  app.py", "A  esc", "R  old.py -> new.py"]


def test_what_could_steer_a_terminal_is_made_visible_for_people(repo: MakeRepo) -> None:
    user = repo({"app.py": "one\n"})
    text = printed(user, "printf 'x\\033[31m\\303\\251\\377' > esc", for_people=True)
    assert b"\x1b" not in text
    assert "é".encode() in text
    text.decode("utf8")


def test_a_stat_and_the_names_alone(repo: MakeRepo) -> None:
    user = repo({"app.py": "one\n", "gone.py": "x\n"})
    script = "echo two > app.py; rm gone.py; echo n > 'ne w.py'"
    assert printed(user, script, DiffForm.NAMES).splitlines() == [b"app.py", b"gone.py", b"ne w.py"]
    stat = printed(user, script, DiffForm.STAT).decode()
    assert "3 files changed, 2 insertions(+), 2 deletions(-)" in stat
    assert "delete mode 100644 gone.py" in stat


@pytest.mark.parametrize("form", list(DiffForm))
def test_no_change_prints_nothing(repo: MakeRepo, form: DiffForm) -> None:
    assert printed(repo({"app.py": "one\n"}), "true", form) == b""


def test_no_setting_or_attribute_of_the_repository_changes_what_is_printed(
    repo: MakeRepo, tmp_path: Path
) -> None:
    mark = tmp_path / "ran"
    user = repo({"app.py": "one\n", ".gitattributes": "*.py -diff diff=evil\n"})
    for key in ("textconv", "command"):
        user.git("config", f"diff.evil.{key}", f"touch {mark}; cat")
    user.git("config", "diff.external", f"touch {mark}")
    user.git("config", "diff.noprefix", "true")
    assert b"--- a/app.py\n+++ b/app.py\n@@ -1 +1 @@\n-one\n+two\n" in printed(user, "echo two > app.py")
    assert not mark.exists()


def test_only_what_the_commit_itself_brought_counts_when_the_base_went_on(repo: MakeRepo) -> None:
    user = repo({"app.py": "one\n"})
    start = user.head
    user.git("checkout", "-q", "-b", "side")
    side = user.commit("mine", {"mine": "m\n"})
    user.git("checkout", "-q", "main")
    main = user.commit("theirs", {"theirs": "t\n"})
    chunks: list[bytes] = []

    async def scenario() -> None:
        # Nobody ever started a run here: there is neither a mirror nor a store.
        place = await find_place(user.path)
        await diff_text(place, DiffRequest(main, side, form=DiffForm.NAMES), chunks.append)
        await diff_text(place, DiffRequest(start, side, "r-gone", DiffForm.NAMES), chunks.append)
        with pytest.raises(UsageError, match="neither in your repository nor kept"):
            await diff_text(place, DiffRequest(start, "1" * 40, RUN), chunks.append)

    asyncio.run(scenario())
    assert chunks == [b"mine\n", b"mine\n"]


def test_shallow_and_sha256_repositories_are_no_different(repo: MakeRepo, tmp_path: Path) -> None:
    origin = repo({"app.py": "one\n"}, name="origin")
    origin.commit("second", {"app.py": "two\n"})
    shallow = clone(origin, tmp_path / "shallow", "--depth=1")
    for user in (shallow, repo({"app.py": "one\n"}, name="modern", object_format="sha256")):
        assert printed(user, "echo three > app.py", DiffForm.NAMES) == b"app.py\n"


def test_a_large_diff_is_never_held_in_memory(repo: MakeRepo) -> None:
    user = repo({"app.py": "one\n"})
    before_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    sizes: list[int] = []

    async def scenario() -> None:
        place = await find_place(user.path)
        base = place.repository.head
        script = "for n in 1 2 3; do yes 'a line of a large file' | head -c 9000000 > m$n; done"
        request = DiffRequest(base, await made(place, base, script), RUN)
        await diff_text(place, request, lambda chunk: sizes.append(len(chunk)))

    asyncio.run(scenario())
    assert sum(sizes) > 27_000_000
    assert max(sizes) <= 1 << 16
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_kb < 20_000


def test_a_reader_that_goes_away_ends_it_and_leaves_no_git_behind(repo: MakeRepo) -> None:
    user = repo({"app.py": "one\n"})

    async def scenario() -> None:
        place = await find_place(user.path)
        base = place.repository.head
        request = DiffRequest(base, await made(place, base, "seq 2000000 > big"), RUN)
        reading, writing = os.pipe()
        os.close(reading)
        try:
            with pytest.raises(BrokenPipeError):
                await diff_text(place, request, lambda chunk: os.write(writing, chunk))
        finally:
            os.close(writing)

    asyncio.run(scenario())
