"""Version 5: which costs are estimates, and where tokens have no price."""

from __future__ import annotations

import sqlalchemy as sa

NAME = "cost"

_CHANGES = (
    "ALTER TABLE spending ADD COLUMN estimated INTEGER DEFAULT 0 NOT NULL",
    "ALTER TABLE spending ADD COLUMN unpriced INTEGER DEFAULT 0 NOT NULL",
    "UPDATE spending SET unpriced = 1 WHERE cost_usd IS NULL AND tokens_in + tokens_out > 0",
    "ALTER TABLE runs ADD COLUMN cost_estimated INTEGER DEFAULT 0 NOT NULL",
    "ALTER TABLE runs ADD COLUMN cost_unpriced INTEGER DEFAULT 0 NOT NULL",
    "UPDATE runs SET cost_unpriced = 1 WHERE id IN (SELECT spent_by FROM spending WHERE unpriced = 1)",
)


def apply(connection: sa.Connection) -> None:
    for change in _CHANGES:
        connection.exec_driver_sql(change)
