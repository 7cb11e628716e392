"""The primary key of an event is its stream and its version, as a table needs that is partitioned or distributed.

Positions stay, and no constraint is on them alone. PostgreSQL assigns them as before. SQLite assigns only integers that
are a primary key, so a trigger does it there.

Revises: 0003
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_COLUMNS = "position, stream, version, command_id, type, schema, data, recorded_at, hash"
_SHARED = """
    stream TEXT NOT NULL, version INTEGER NOT NULL, command_id TEXT, type TEXT NOT NULL, schema INTEGER NOT NULL,
    data TEXT NOT NULL, recorded_at BIGINT NOT NULL, hash BLOB NOT NULL,
    CONSTRAINT uq_events_stream_command_id UNIQUE (stream, command_id)
"""
_BY_VERSION = f"""
CREATE TABLE new_events (
    position INTEGER DEFAULT 0 NOT NULL, {_SHARED}, CONSTRAINT pk_events PRIMARY KEY (stream, version)
)
"""
_BY_POSITION = f"""
CREATE TABLE new_events (
    position INTEGER NOT NULL, {_SHARED}, CONSTRAINT pk_events PRIMARY KEY (position),
    CONSTRAINT uq_events_stream_version UNIQUE (stream, version)
)
"""
_ASSIGN_POSITION = """
CREATE TRIGGER assign_position AFTER INSERT ON events WHEN new.position = 0 BEGIN
    UPDATE events SET position = (SELECT max(position) + 1 FROM events)
    WHERE stream = new.stream AND version = new.version;
END
"""


def upgrade() -> None:
    if op.get_context().dialect.name == "sqlite":
        _replace_table(_BY_VERSION)
    else:
        op.drop_constraint("pk_events", "events", type_="primary")
        op.drop_constraint("uq_events_stream_version", "events", type_="unique")
        op.create_primary_key("pk_events", "events", ["stream", "version"])
    op.create_index("ix_events_position", "events", ["position"])
    if op.get_context().dialect.name == "sqlite":
        op.execute(sa.text(_ASSIGN_POSITION))


def downgrade() -> None:
    if op.get_context().dialect.name == "sqlite":
        _replace_table(_BY_POSITION)
    else:
        op.drop_index("ix_events_position", "events")
        op.drop_constraint("pk_events", "events", type_="primary")
        op.create_primary_key("pk_events", "events", ["position"])
        op.create_unique_constraint("uq_events_stream_version", "events", ["stream", "version"])


def _replace_table(create: str) -> None:
    """Copy the rows into a new table, in the order in which they were written; the old one goes with its indexes."""
    op.execute(sa.text(create))
    op.execute(sa.text(f"INSERT INTO new_events ({_COLUMNS}) SELECT {_COLUMNS} FROM events ORDER BY position"))
    op.execute(sa.text("DROP TABLE events"))
    op.execute(sa.text("ALTER TABLE new_events RENAME TO events"))
