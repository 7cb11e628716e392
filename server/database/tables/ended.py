"""The transparency log of ended streams, and archived games."""

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, LargeBinary, Table, Text, UniqueConstraint

from cadogan.server.database.tables.schema import Key, Milliseconds, metadata

log_queue = Table(
    "log_queue",
    metadata,
    Column("stream", Key, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("hash", LargeBinary, nullable=False),
    Column("recorded_at", Milliseconds, nullable=False),
)
"""The queue of the transparency log: ended streams, each with its last event, and the acts of hosts that disqualified
or restored a run. A row is written in the transaction of that event."""
Index("ix_log_queue_recorded_at", log_queue.c.recorded_at)

log_entries = Table(
    "log_entries",
    metadata,
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("stream", Key, nullable=False),
    Column("version", Integer, nullable=False),
    Column("entry", LargeBinary, nullable=False),
    UniqueConstraint("stream", "version"),
)
"""The transparency log, numbered from 0. An entry about the host's keys has the stream `key`, and one about a
disqualified run the stream `house`."""

feed_cursors = Table(
    "feed_cursors",
    metadata,
    Column("reader", Key, primary_key=True),
    Column("position", BigInteger, nullable=False),
)
"""How far each part of the server has read in the log what has ended (`cadogan.server.transparency.ended_feed`): the
number of the first entry that it has not read."""

log_tiles = Table(
    "log_tiles",
    metadata,
    Column("level", Integer, primary_key=True, autoincrement=False),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("hashes", LargeBinary, nullable=False),
)
"""The hashes of the log's tree, up to 256 in a row (see `cadogan.server.transparency.tree.tiles`)."""

log_heads = Table(
    "log_heads",
    metadata,
    Column("kind", Key, primary_key=True),
    Column("size", BigInteger, nullable=False),
    Column("note", Text, nullable=False),
)
"""Signed checkpoints of the log: the `latest` one, and the latest one that is `witnessed`."""

witnessed_logs = Table(
    "witnessed_logs",
    metadata,
    Column("origin", Key, primary_key=True),
    Column("size", BigInteger, nullable=False),
    Column("note", Text, nullable=False),
)
"""The other servers' logs for which this server is a witness, each with the last checkpoint that it signed."""

archives = Table(
    "archives",
    metadata,
    Column("sha256", Key, primary_key=True),
    Column("name", Text, nullable=False),
    Column("before", Key, nullable=False),
    Column("games", Integer, nullable=False),
    Column("created_at", Milliseconds, nullable=False),
)
"""The archive files of old games (`cadogan.server.operations.archive`), each by the SHA-256 of its lines. `before` is a
day."""

archived_games = Table(
    "archived_games",
    metadata,
    Column("stream", Key, primary_key=True),
    Column("archive", Key, ForeignKey("archives.sha256"), nullable=False, index=True),
    Column("version", Integer, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("revealed_at", Milliseconds),
    Column("game", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("moves", Integer),
    Column("milliseconds", BigInteger),
)
"""What is kept of an archived game: its last version and hash, which the Merkle root includes from `revealed_at` on,
and the columns for statistics. `moves` is empty for a game that is in no statistics."""
