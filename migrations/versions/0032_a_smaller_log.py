"""The log takes a third less room: no positions, one index instead of three, and moves and deals are shortened.

That each command is in its stream once is known without an index: who appends knows every event of the stream. Events
that PostgreSQL holds already keep their text, because to write them again would need as much room once more; both forms
are read. SQLite has to copy the table, and shortens them meanwhile.

Revises: 0031
"""

import sqlalchemy as sa
from alembic import op

from cadogan.server.core.database.short_events import DEAL_PIECES, MOVE_PIECES

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


_KINDS = (
    ("data LIKE '{\"effects\":[%'", "data >= char(1) AND data < char(4)", MOVE_PIECES),
    ('data LIKE \'{"commitment":"%\'', "data >= char(9) AND data < char(10)", DEAL_PIECES),
)
"""How the data of each kind is recognised, in full and shortened, and its pieces."""
_AT_ONCE = 7
"""Replacements in one expression: SQLite's parser takes no deeper ones."""


def upgrade() -> None:
    if op.get_context().dialect.name == "sqlite":
        kinds = [(full, [(piece, short) for short, piece in pieces.items()]) for full, _, pieces in _KINDS]
        rows = _rewritten("position", kinds)
        _replace_table(_WITHOUT_POSITION, _COLUMNS, f"{rows} SELECT {_COLUMNS} FROM rows ORDER BY place")
    else:
        op.drop_index("ix_events_position", "events")
        op.drop_constraint("uq_events_stream_command_id", "events", type_="unique")
        op.drop_column("events", "position")


def downgrade() -> None:
    if op.get_context().dialect.name == "sqlite":
        kinds = [(short, [*pieces.items()]) for _, short, pieces in _KINDS]
        rows = _rewritten("row_number() OVER (ORDER BY rowid)", kinds)
        _replace_table(_WITH_POSITION, f"position, {_COLUMNS}", f"{rows} SELECT place, {_COLUMNS} FROM rows")
        op.execute(sa.text(_ASSIGN_POSITION))
    else:
        for _, short, pieces in _KINDS:
            full = "data"
            for each, piece in pieces.items():
                full = f"replace({full}, chr({ord(each)}), '{piece}')"
            where = short.replace("char", "chr").replace("data", 'data COLLATE "C"')
            op.get_bind().exec_driver_sql(f"UPDATE events SET data = {full} WHERE {where}")
        op.add_column("events", sa.Column("position", sa.BigInteger(), sa.Identity(), nullable=False))
        op.create_unique_constraint("uq_events_stream_command_id", "events", ["stream", "command_id"])
    op.create_index("ix_events_position", "events", ["position"])


def _rewritten(place: str, kinds: list[tuple[str, list[tuple[str, str]]]]) -> str:
    """Return the beginning of a query of `rows`: all events, each with its place, and with other data.

    For each kind there is where its data is so, and the replacements in it.
    """
    steps = [f"SELECT {_COLUMNS}, {place} AS place FROM events"]
    for where, replacements in kinds:
        steps.append(f"SELECT *, {where} AS chosen FROM step{len(steps) - 1}")
        for first in range(0, len(replacements), _AT_ONCE):
            data = "data"
            for old, new in replacements[first : first + _AT_ONCE]:
                data = f"replace({data}, {_literal(old)}, {_literal(new)})"
            data = f"CASE WHEN chosen THEN {data} ELSE data END AS data"
            steps.append(f"SELECT {_COLUMNS.replace('data', data)}, place, chosen FROM step{len(steps) - 1}")
        steps.append(f"SELECT {_COLUMNS}, place FROM step{len(steps) - 1}")
    named = ", ".join(f"step{number} AS ({step})" for number, step in enumerate(steps))
    return f"WITH {named}, rows AS (SELECT * FROM step{len(steps) - 1})"


def _literal(text: str) -> str:
    return f"char({ord(text)})" if text < " " else f"'{text}'"


def _replace_table(create: str, columns: str, rows: str) -> None:
    """Copy rows into a new table; the old one goes with its indexes."""
    connection = op.get_bind()
    connection.exec_driver_sql(create)
    connection.exec_driver_sql(f"INSERT INTO new_events ({columns}) {rows}")
    connection.exec_driver_sql("DROP TABLE events")
    connection.exec_driver_sql("ALTER TABLE new_events RENAME TO events")
