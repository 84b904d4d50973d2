"""The database file: how it is set up, and one clear sentence for each way in which it cannot be used."""

from __future__ import annotations

import fcntl
import sqlite3
import stat
import threading
from pathlib import Path

import pytest
import sqlalchemy as sa

from burnish.errors import StoreError
from burnish.store.database import open_database
from burnish.store.schema import runs
from tests.unit.store.journals import Bench

ROW = {"id": "r-1", "state": "running", "created_at": "now", "updated_at": "now"}


def _pragma(bench: Bench, name: str) -> object:
    with bench.database.read() as connection:
        return connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()


def test_the_file_is_set_up_to_survive_a_power_cut(bench: Bench) -> None:
    settings = {
        name: _pragma(bench, name) for name in ("journal_mode", "synchronous", "busy_timeout", "foreign_keys")
    }
    assert settings == {"journal_mode": "wal", "synchronous": 2, "busy_timeout": 60_000, "foreign_keys": 1}


def test_the_state_folder_is_for_its_owner_only(tmp_path: Path) -> None:
    open_database(tmp_path / "state" / "burnish.db").close()
    assert stat.S_IMODE((tmp_path / "state").stat().st_mode) == 0o700


def test_an_address_of_a_file_opens_that_file(tmp_path: Path) -> None:
    open_database(f"sqlite:///{tmp_path}/here.db").close()
    assert (tmp_path / "here.db").exists()


def test_a_transaction_that_raises_leaves_no_trace(bench: Bench) -> None:
    with pytest.raises(KeyError), bench.database.write() as connection:
        connection.execute(runs.insert().values(ROW))
        raise KeyError
    with bench.database.read() as connection:
        assert connection.execute(sa.select(runs.c.id)).all() == []


def test_readers_do_not_wait_for_a_writer_and_see_nothing_unfinished(bench: Bench) -> None:
    with bench.database.write() as writing:
        writing.execute(runs.insert().values(ROW))
        with bench.database.read() as reading:
            assert reading.execute(sa.select(runs.c.id)).all() == []
    with bench.database.read() as reading:
        assert reading.execute(sa.select(runs.c.id)).scalar_one() == "r-1"


def test_threads_of_one_process_write_one_after_another(bench: Bench) -> None:
    def count() -> None:
        for _ in range(25):
            with bench.database.write() as connection:
                value = connection.execute(sa.select(runs.c.cycles)).scalar_one()
                connection.execute(runs.update().values(cycles=value + 1))

    with bench.database.write() as connection:
        connection.execute(runs.insert().values(ROW))
    threads = [threading.Thread(target=count) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with bench.database.read() as connection:
        assert connection.execute(sa.select(runs.c.cycles)).scalar_one() == 200


def test_a_database_that_stays_locked_is_said_so(tmp_path: Path) -> None:
    path = tmp_path / "burnish.db"
    database = open_database(path, busy_timeout_s=0.2)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with (
        pytest.raises(StoreError, match=r"burnish\.db stayed locked by another process for 0\.2 s") as caught,
        database.write(),
    ):
        pass
    assert "try again" in caught.value.hint
    other.execute("ROLLBACK")
    with database.write():
        pass
    other.close()
    database.close()


def test_a_first_opener_that_hangs_is_not_waited_for_forever(tmp_path: Path) -> None:
    with (tmp_path / "burnish.db.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(StoreError, match="is being prepared by another process"):
            open_database(tmp_path / "burnish.db", busy_timeout_s=0.1)
    open_database(tmp_path / "burnish.db").close()


def test_a_file_that_is_no_database_is_said_so_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "burnish.db"
    path.write_bytes(b"precious notes " * 100)
    with pytest.raises(StoreError, match=r"burnish\.db is not a database") as caught:
        open_database(path)
    assert "move that file away" in caught.value.hint
    assert path.read_bytes() == b"precious notes " * 100


def test_a_damaged_database_is_said_so(tmp_path: Path) -> None:
    path = tmp_path / "burnish.db"
    database = open_database(path)
    with database.write() as connection:
        for number in range(50):
            connection.execute(runs.insert().values({**ROW, "id": f"r-{number}", "prompt": "x" * 3000}))
    database.close()
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xa5" * (len(content) - 4096)
    path.write_bytes(content)
    with pytest.raises(StoreError, match="is damaged") as caught:
        broken = open_database(path)
        with broken.read() as connection:
            connection.execute(sa.select(runs)).all()
    assert "backup" in caught.value.hint


def test_a_folder_in_place_of_the_file_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "burnish.db").mkdir()
    with pytest.raises(StoreError, match=r"burnish\.db cannot be opened or created"):
        open_database(tmp_path / "burnish.db")


def test_a_file_in_place_of_the_folder_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("not a folder")
    with pytest.raises(
        StoreError, match=r"state folder .*state cannot be created: (Not a directory|File exists)"
    ):
        open_database(tmp_path / "state" / "burnish.db")


@pytest.mark.parametrize("name", [":memory:", "what?is=this", "caf\udce9", "a b\n'c"])
def test_any_file_name_will_do(tmp_path: Path, name: str) -> None:
    database = open_database(tmp_path / name / name)
    with database.write() as connection:
        connection.execute(runs.insert().values(ROW))
    database.close()
    assert (tmp_path / name / name).stat().st_size > 0


def test_an_empty_file_is_a_new_database(tmp_path: Path) -> None:
    (tmp_path / "burnish.db").touch()
    open_database(tmp_path / "burnish.db").close()
    assert (tmp_path / "burnish.db").stat().st_size > 0


def test_a_database_that_lost_its_write_ahead_mode_gets_it_back(tmp_path: Path) -> None:
    path = tmp_path / "burnish.db"
    open_database(path).close()
    plain = sqlite3.connect(path)
    assert plain.execute("PRAGMA journal_mode = DELETE").fetchone() == ("delete",)
    plain.close()
    open_database(path).close()
    again = sqlite3.connect(path)
    assert again.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    again.close()


@pytest.mark.parametrize(
    "address",
    ["nosuch://me:secret@host/name", "postgresql+nosuch://me:secret@host/x", "postgresql+:secret://"],
)
def test_an_address_nobody_understands_is_said_so_without_its_password(address: str) -> None:
    with pytest.raises(StoreError, match="address of the database cannot be read") as caught:
        open_database(address)
    assert "secret" not in caught.value.message + caught.value.hint
