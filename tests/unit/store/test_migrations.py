"""Old databases are brought up to date with all they hold; newer and foreign ones are left alone."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from burnish.errors import StoreError
from burnish.store import migrations, queries
from burnish.store.database import open_database
from burnish.store.journal import Journal
from burnish.store.leases import this_process
from burnish.store.loop_schema import EVERY_TABLE
from tests.unit.store.journals import IMPLEMENT, REVIEW, Bench, Worker

VERSION_1 = Path(__file__).parent / "old" / "version-1.sql"


def _database_of_then(folder: Path) -> Path:
    path = folder / "burnish.db"
    connection = sqlite3.connect(path)
    connection.executescript(VERSION_1.read_text("utf8"))
    connection.close()
    return path


def test_migrations_and_schema_describe_the_same_tables(bench: Bench) -> None:
    """The tables are written down twice: as they are today, and as the way there. They must not drift."""
    inspector = sa.inspect(bench.database.engine)
    assert set(inspector.get_table_names()) == {table.name for table in EVERY_TABLE}
    dialect = bench.database.engine.dialect
    for table in EVERY_TABLE:
        found = {
            column["name"]: (column["type"].compile(dialect), column["nullable"])
            for column in inspector.get_columns(table.name)
        }
        wanted = {column.name: (column.type.compile(dialect), column.nullable) for column in table.c}
        assert found == wanted, table.name
        keys = inspector.get_pk_constraint(table.name)["constrained_columns"]
        assert keys == [column.name for column in table.primary_key], table.name
        links = {
            (key["constrained_columns"][0], key["referred_table"])
            for key in inspector.get_foreign_keys(table.name)
        }
        assert links == {(key.parent.name, key.column.table.name) for key in table.foreign_keys}, table.name
        for column in table.c:
            if column.server_default is not None:
                assert _default(inspector, table.name, column.name) == str(column.server_default.arg)  # type: ignore[attr-defined]


def _default(inspector: sa.Inspector, table: str, column: str) -> str:
    found = {entry["name"]: entry["default"] for entry in inspector.get_columns(table)}
    return str(found[column]).strip("'")


@pytest.mark.conformance("P-15")
def test_review_issues_gain_their_loop_columns_by_alter_table(tmp_path: Path) -> None:
    path = _database_of_then(tmp_path)
    before = sqlite3.connect(path)
    assert {row[1] for row in before.execute("PRAGMA table_info(review_issues)")} & {
        "loop_id",
        "loop_review_id",
    } == set()
    before.close()
    database = open_database(path)
    with database.read() as connection:
        row = connection.exec_driver_sql("SELECT * FROM review_issues").mappings().one()
    database.close()
    assert (row["id"], row["description"], row["loop_id"], row["loop_review_id"]) == (
        "issue-1", "never called", None, None,
    )  # fmt: skip


def test_a_run_of_the_first_version_is_resumed_with_what_it_had_finished(tmp_path: Path) -> None:
    database = open_database(_database_of_then(tmp_path))
    worker = Worker()

    async def scenario() -> object:
        run = await Journal(database).resume("r-old2", take_over=True)
        await run.do(IMPLEMENT, worker.change)
        return await run.do(REVIEW, worker.review)

    review = asyncio.run(scenario())
    kinds = [entry.event.kind for entry in queries.run_events(database, "r-old2")]
    done = queries.find_run(database, "r-old3", this_process())
    database.close()
    assert worker.calls == []
    assert getattr(review, "summary", "") == "needs more"
    assert kinds[0] == "run_started"
    assert kinds[-1] == "run_resumed"
    assert (done.outcome, done.final_verdict) == ("passed", "approved")


def test_each_applied_migration_is_recorded_once_by_name(tmp_path: Path) -> None:
    path = _database_of_then(tmp_path)
    for _ in range(3):
        open_database(path).close()
    with closing(sqlite3.connect(path)) as found:
        names = found.execute("SELECT number, name FROM schema_migrations ORDER BY 1").fetchall()
    assert names == [(1, "base"), (2, "loop_reviews"), (3, "reviews"), (4, "queue"), (5, "cost")]


def test_a_migration_that_breaks_leaves_the_database_as_it_was(tmp_path: Path) -> None:
    """The second step fails half-way (its table is there already): all of it is undone."""
    path = _database_of_then(tmp_path)
    spoiled = sqlite3.connect(path)
    spoiled.execute("ALTER TABLE loops ADD COLUMN last_review_id TEXT")
    spoiled.close()
    with pytest.raises(sa.exc.OperationalError, match="duplicate column"):
        open_database(path)
    found = sqlite3.connect(path)
    columns = {row[1] for row in found.execute("PRAGMA table_info(review_issues)")}
    assert "loop_id" not in columns
    assert found.execute("SELECT max(number) FROM schema_migrations").fetchone() == (1,)
    found.close()


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO schema_migrations VALUES (99, 'from_the_future', '2027-01-01')",
        "UPDATE schema_migrations SET name = 'something_else' WHERE number = 2",
    ],
)
def test_a_newer_database_is_refused_and_not_touched(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "burnish.db"
    open_database(path).close()
    newer = sqlite3.connect(path)
    newer.execute(statement)
    newer.commit()
    newer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    newer.close()
    before = path.read_bytes()
    with pytest.raises(StoreError) as caught:
        open_database(path)
    assert str(path) in caught.value.message
    assert f"this Burnish knows up to {migrations.NEWEST}" in caught.value.message
    assert "update Burnish" in caught.value.hint
    assert path.read_bytes() == before


def test_a_database_of_another_program_is_refused_and_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE customers (id INTEGER)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="of another program: it has the table 'customers'"):
        open_database(path)
    assert path.read_bytes() == before
