"""The tables of the database, the same on SQLite and PostgreSQL.

`events` is the truth; `games` and `entries` are derived from it and can be thrown away (`cadogan rebuild`);
`players`, `tokens` and `deals` hold what may be renamed, erased or kept secret and so is no event. Times are integer
milliseconds since 1970 UTC; hashes, seeds and secrets are hex, except an event's chain hash, which is 32 bytes.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

Key = Text().with_variant(Text(collation="C"), "postgresql")
"""Text compared byte by byte on both databases, whatever the database's language."""

Position = BigInteger().with_variant(Integer, "sqlite")
"""SQLite numbers rows by itself only in a column called INTEGER."""

Milliseconds = BigInteger()

events = Table(
    "events",
    metadata,
    Column("position", Position, Identity(), primary_key=True),
    Column("stream", Key, nullable=False),
    Column("version", Integer, nullable=False),
    Column("command_id", Key),
    Column("type", Text, nullable=False),
    Column("schema", Integer, nullable=False),
    Column("data", Text, nullable=False),
    Column("recorded_at", Milliseconds, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    UniqueConstraint("stream", "version"),
    UniqueConstraint("stream", "command_id"),
)

games = Table(
    "games",
    metadata,
    Column("id", Key, primary_key=True),
    Column("game", Text, nullable=False),
    Column("player", Key, nullable=False),
    Column("deal", Key, nullable=False),
    Column("day", Key),
    Column("ranked", Boolean, nullable=False),
    Column("status", Text, nullable=False),
    Column("score", Integer),
    Column("moves", Integer),
    Column("milliseconds", BigInteger),
    Column("started_at", Milliseconds, nullable=False),
    Column("finished_at", Milliseconds),
)
Index("ix_games_status_started_at", games.c.status, games.c.started_at)
Index("ix_games_player_started_at", games.c.player, games.c.started_at)
Index(
    "uq_games_deal_player_ranked",
    games.c.deal,
    games.c.player,
    unique=True,
    sqlite_where=text("ranked"),
    postgresql_where=text("ranked"),
)

entries = Table(
    "entries",
    metadata,
    Column("game_id", Key, primary_key=True),
    Column("day", Key, nullable=False),
    Column("player", Key, nullable=False),
    Column("result", Text, nullable=False),
    Column("score", Integer, nullable=False),
    Column("moves", Integer, nullable=False),
    Column("milliseconds", BigInteger, nullable=False),
    Column("finished_at", Milliseconds, nullable=False),
)
Index("ix_entries_board", entries.c.day, entries.c.score.desc(), entries.c.moves, entries.c.milliseconds)

players = Table(
    "players",
    metadata,
    Column("id", Key, primary_key=True),
    Column("name", Text, nullable=False),
    Column("name_key", Key, unique=True),
    Column("password_hash", Text),
    Column("created_at", Milliseconds, nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    Column("hash", Key, primary_key=True),
    Column("player", Key, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created_at", Milliseconds, nullable=False),
    Column("expires_at", Milliseconds, nullable=False),
)

deals = Table(
    "deals",
    metadata,
    Column("id", Key, primary_key=True),
    Column("game", Text, nullable=False),
    Column("day", Key, unique=True),
    Column("secret", Text, nullable=False),
    Column("commitment", Text, nullable=False),
    Column("created_at", Milliseconds, nullable=False),
)
