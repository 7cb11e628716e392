"""The log takes a third less room: no positions, one index instead of three, and the data of moves is shortened.

That each command is in its stream once is known without an index: who appends knows every event of the stream. Events
that PostgreSQL holds already keep their text, because to write them again would need as much room once more; both forms
are read. SQLite has to copy the table, and shortens them meanwhile.

Revises: 0031
"""

import sqlalchemy as sa
from alembic import op

from server.database.short_moves import PIECES

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

_COLUMNS = "stream, version, command_id, type, schema, data, recorded_at, hash"
_SHARED = """
    stream TEXT NOT NULL, version INTEGER NOT NULL, command_id TEXT, type TEXT NOT NULL, schema INTEGER NOT NULL,
    data TEXT NOT NULL, recorded_at BIGINT NOT NULL, hash BLOB NOT NULL,
    CONSTRAINT pk_events PRIMARY KEY (stream, version)
"""
_WITHOUT_POSITION = f"CREATE TABLE new_events ({_SHARED})"
_WITH_POSITION = f"""
CREATE TABLE new_events (
    position INTEGER DEFAULT 0 NOT NULL, {_SHARED}, CONSTRAINT uq_events_stream_command_id UNIQUE (stream, command_id)
)
"""
_ASSIGN_POSITION = """
CREATE TRIGGER assign_position AFTER INSERT ON events WHEN new.position = 0 BEGIN
    UPDATE events SET position = (SELECT max(position) + 1 FROM events)
    WHERE stream = new.stream AND version = new.version;
END
"""


_SHORT = [(f"'{piece}'", f"char({ord(character)})") for character, piece in PIECES.items()]
_FULL = [(short, piece) for piece, short in _SHORT]
_AT_ONCE = 7
"""Replacements in one expression: SQLite's parser takes no deeper ones."""


def upgrade() -> None:
    if op.get_context().dialect.name == "sqlite":
        rows = _select(_SHORT, "data LIKE '{\"effects\":[%'", "position")
        _replace_table(_WITHOUT_POSITION, _COLUMNS, f"SELECT {_COLUMNS} FROM {rows} ORDER BY place")
    else:
        op.drop_index("ix_events_position", "events")
        op.drop_constraint("uq_events_stream_command_id", "events", type_="unique")
        op.drop_column("events", "position")


def downgrade() -> None:
    if op.get_context().dialect.name == "sqlite":
        rows = _select(_FULL, "unicode(data) < 32", "row_number() OVER (ORDER BY rowid)")
        columns = f"place, {_COLUMNS}"
        _replace_table(_WITH_POSITION, columns.replace("place", "position"), f"SELECT {columns} FROM {rows}")
        op.execute(sa.text(_ASSIGN_POSITION))
    else:
        full = "data"
        for short, piece in _FULL:
            full = f"replace({full}, {short.replace('char', 'chr')}, {piece})"
        op.get_bind().exec_driver_sql(f"UPDATE events SET data = {full} WHERE ascii(data) < 32")
        op.add_column("events", sa.Column("position", sa.BigInteger(), sa.Identity(), nullable=False))
        op.create_unique_constraint("uq_events_stream_command_id", "events", ["stream", "command_id"])
    op.create_index("ix_events_position", "events", ["position"])


def _select(replacements: list[tuple[str, str]], where: str, place: str) -> str:
    """Return a subquery for all rows, their places, and their data with these replacements where it is so."""
    rows = f"(SELECT *, {where} AS chosen, {place} AS place FROM events)"
    others = _COLUMNS.replace("data", "{} AS data, chosen, place")
    for first in range(0, len(replacements), _AT_ONCE):
        data = "data"
        for old, new in replacements[first : first + _AT_ONCE]:
            data = f"replace({data}, {old}, {new})"
        rows = f"(SELECT {others.format(f'CASE WHEN chosen THEN {data} ELSE data END')} FROM {rows})"
    return rows


def _replace_table(create: str, columns: str, rows: str) -> None:
    """Copy rows into a new table; the old one goes with its indexes."""
    connection = op.get_bind()
    connection.exec_driver_sql(create)
    connection.exec_driver_sql(f"INSERT INTO new_events ({columns}) {rows}")
    connection.exec_driver_sql("DROP TABLE events")
    connection.exec_driver_sql("ALTER TABLE new_events RENAME TO events")
