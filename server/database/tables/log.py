"""The log, and the tables that are derived from it and can be rebuilt."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from cadogan.server.database.short_events import EventData
from cadogan.server.database.tables.schema import Key, Milliseconds, metadata

events = Table(
    "events",
    metadata,
    Column("stream", Key, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("command_id", Key),
    Column("type", Text, nullable=False),
    Column("schema", Integer, nullable=False),
    Column("data", EventData, nullable=False),
    Column("recorded_at", Milliseconds, nullable=False),
    Column("hash", LargeBinary, nullable=False),
)
"""The log. Its one index contains the stream, which a table partitioned or distributed by stream requires. The key also
makes commands unique in their stream: a writer has read every event of the stream (`cadogan.server.play`)."""

games = Table(
    "games",
    metadata,
    Column("id", Key, primary_key=True),
    Column("game", Text, nullable=False),
    Column("player", Key, nullable=False),
    Column("deal", Key, nullable=False),
    Column("day", Key),
    Column("slot", Integer),
    Column("match", Key),
    Column("ranked", Boolean, nullable=False),
    Column("status", Text, nullable=False),
    Column("score", Integer),
    Column("moves", Integer),
    Column("milliseconds", BigInteger),
    Column("started_at", Milliseconds, nullable=False),
    Column("finished_at", Milliseconds),
    Column("origin", Key),
)
"""`origin` is the game from which this one continues; such a game is in no statistics."""
Index("ix_games_status_started_at", games.c.status, games.c.started_at)
Index("ix_games_player_started_at", games.c.player, games.c.started_at)
Index(
    "ix_games_player_game_finished_at",
    games.c.player,
    games.c.game,
    games.c.finished_at,
    games.c.status,
    games.c.score,
    sqlite_where=text("finished_at IS NOT NULL AND origin IS NULL"),
    postgresql_where=text("finished_at IS NOT NULL AND origin IS NULL"),
)
"""A covering index for a player's statistics: they read no row of the table."""
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
    Column("deal", Key, nullable=False),
    Column("day", Key, nullable=False),
    Column("slot", Integer, nullable=False),
    Column("rules", Key, nullable=False),
    Column("player", Key, nullable=False),
    Column("result", Text, nullable=False),
    Column("score", Integer, nullable=False),
    Column("points", Integer, nullable=False),
    Column("moves", Integer, nullable=False),
    Column("milliseconds", BigInteger, nullable=False),
    Column("active", BigInteger, nullable=False),
    Column("finished_at", Milliseconds, nullable=False),
    UniqueConstraint("deal", "player"),
)
Index("ix_entries_player_day", entries.c.player, entries.c.day)
Index("ix_entries_day", entries.c.day)

strikes = Table(
    "strikes",
    metadata,
    Column("game_id", Key, primary_key=True),
    Column("player", Key, nullable=False, index=True),
    Column("reason", Text, nullable=False),
    Column("struck_at", Milliseconds, nullable=False),
)
"""The runs that hosts have disqualified. Their entries stay; no total, statistic or digest includes them."""

totals = Table(
    "totals",
    metadata,
    Column("board", Key, primary_key=True),
    Column("player", Key, primary_key=True),
    Column("deficit", BigInteger, nullable=False),
    Column("moves", BigInteger, nullable=False),
    Column("milliseconds", BigInteger, nullable=False),
    Column("runs", Integer, nullable=False),
    sqlite_with_rowid=False,
)
"""Every player's total on every leaderboard. `deficit` is the score, or the negative sum of the points. In every column
a smaller value is better, so one ascending index has the order of the leaderboard."""
Index(
    "ix_totals_board",
    totals.c.board,
    totals.c.deficit,
    totals.c.moves,
    totals.c.milliseconds,
    totals.c.player,
    totals.c.runs,
)

buckets = Table(
    "buckets",
    metadata,
    Column("board", Key, primary_key=True),
    Column("level", Integer, primary_key=True, autoincrement=False),
    Column("deficit", BigInteger, primary_key=True, autoincrement=False),
    Column("moves", BigInteger, primary_key=True, autoincrement=False),
    Column("milliseconds", BigInteger, primary_key=True, autoincrement=False),
    Column("count", Integer, nullable=False),
    sqlite_with_rowid=False,
)
"""The number of a leaderboard's totals in each rank bucket (`cadogan.server.leaderboards.rank_index`)."""

races = Table(
    "races",
    metadata,
    Column("id", Key, primary_key=True),
    Column("rules", Text, nullable=False),
    Column("open", Boolean, nullable=False),
    Column("status", Text, nullable=False),
    Column("opened_at", Milliseconds, nullable=False),
    Column("host", Key),
)
Index("ix_races_opened_at", races.c.opened_at)
