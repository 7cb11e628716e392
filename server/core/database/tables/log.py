"""The log, the tables that are derived from it and can be rebuilt, the transparency log, and archived games."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from cadogan.server.core.database.short_events import EventData
from cadogan.server.core.database.tables.schema import Key, Milliseconds, metadata

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
makes commands unique in their stream: a writer has read every event of the stream (`cadogan.server.subjects.games`)."""
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
    Column("origin_version", Integer),
    Column("number", BigInteger),
)
"""`origin` is the game from which this one continues, `origin_version` its version there, 1 for the deal; it is in
no statistics. `number` is that of its numbered deal."""
Index("ix_games_deal", games.c.deal)
Index(
    "ix_games_number_best",
    games.c.game,
    games.c.number,
    games.c.score.desc(),
    games.c.moves,
    games.c.milliseconds,
    games.c.id,
    sqlite_where=text("number IS NOT NULL AND finished_at IS NOT NULL"),
    postgresql_where=text("number IS NOT NULL AND finished_at IS NOT NULL"),
)
"""The finished games of a numbered deal in the order of its board."""
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
    "ix_games_won",
    games.c.game,
    games.c.finished_at,
    games.c.id,
    games.c.player,
    games.c.status,
    games.c.origin,
    sqlite_where=text("status = 'won' AND origin IS NULL"),
    postgresql_where=text("status = 'won' AND origin IS NULL"),
)
"""The wins of a game in their order, for the first one on the server; covering, too."""
Index(
    "ix_games_player_won",
    games.c.player,
    games.c.game,
    games.c.finished_at,
    games.c.id,
    games.c.moves,
    games.c.milliseconds,
    games.c.status,
    games.c.origin,
    sqlite_where=text("status = 'won' AND origin IS NULL"),
    postgresql_where=text("status = 'won' AND origin IS NULL"),
)
"""A covering index for a player's first and best wins. SQLite needs the columns of the condition in it for that."""
Index(
    "ix_games_deal_best",
    games.c.deal,
    games.c.score.desc(),
    games.c.moves,
    games.c.milliseconds,
    games.c.id,
    sqlite_where=text("finished_at IS NOT NULL"),
    postgresql_where=text("finished_at IS NOT NULL"),
)
"""The finished games of a deal in the order of its board."""
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
Index("ix_entries_deal_result", entries.c.deal, entries.c.result, entries.c.player, entries.c.game_id)
"""A covering index for who else has won a deal, and how many have played it."""
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
"""The number of a leaderboard's totals in each rank bucket (`cadogan.server.core.ranking`)."""
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
contests = Table(
    "contests",
    metadata,
    Column("id", Key, primary_key=True),
    Column("competition", Key, nullable=False),
    Column("title", Text, nullable=False),
    Column("leader", Key, nullable=False),
    Column("group", Key),
    Column("entry", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("starts_at", Milliseconds, nullable=False),
    Column("ends_at", Milliseconds, nullable=False),
    Column("opponent", Key),
    Column("series", Key),
)
"""The streams of competitions that lists show, such as evenings (`ContestRow`)."""
Index("ix_contests_ends_at", contests.c.competition, contests.c.ends_at)
Index("ix_contests_leader", contests.c.leader)
Index("ix_contests_opponent", contests.c.opponent)
Index("ix_contests_series", contests.c.series)
ratings = Table(
    "ratings",
    metadata,
    Column("evening", Key, primary_key=True),
    Column("pool", Key, primary_key=True),
    Column("kind", Key, primary_key=True),
    Column("player", Key, primary_key=True),
    Column("place", Integer, nullable=False),
    Column("performance", Integer, nullable=False),
    Column("before", Integer, nullable=False),
    Column("after", Integer, nullable=False),
    Column("evenings", Integer, nullable=False),
    Column("share", Integer),
)
"""What each evening has changed for each of its players (`RatingRow`)."""
Index("ix_ratings_player", ratings.c.player)
Index("ix_ratings_pool", ratings.c.pool, ratings.c.kind, ratings.c.player, ratings.c.evenings)
pulse = Table(
    "pulse",
    metadata,
    Column("name", Key, primary_key=True),
    Column("at", Milliseconds, nullable=False),
)
"""When any node could last write, for those who have to know of outages (`cadogan.server.subjects.evenings`)."""
log_queue = Table(
    "log_queue",
    metadata,
    Column("stream", Key, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("hash", LargeBinary, nullable=False),
    Column("recorded_at", Milliseconds, nullable=False),
)
"""The queue of the transparency log: ended streams, each with its last event, the earlier events of days, and the acts
of hosts that disqualified or restored a run. A row is written in the transaction of that event."""
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
"""The transparency log, numbered from 0. An entry about the host's keys has the stream `key`, one about a disqualified
run the stream `house`, and one about an event of a day before its close a name like `daily_announced/2026-11-20`."""
feed_cursors = Table(
    "feed_cursors",
    metadata,
    Column("reader", Key, primary_key=True),
    Column("position", BigInteger, nullable=False),
)
"""How far each part of the server has read in the log what has ended (`cadogan.server.core.ended_feed`): the
number of the first entry that it has not read."""
log_tiles = Table(
    "log_tiles",
    metadata,
    Column("level", Integer, primary_key=True, autoincrement=False),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("hashes", LargeBinary, nullable=False),
)
"""The hashes of the log's tree, up to 256 in a row (see `cadogan.server.subjects.transparency.tree`)."""
log_heads = Table(
    "log_heads",
    metadata,
    Column("kind", Key, primary_key=True),
    Column("size", BigInteger, nullable=False),
    Column("note", Text, nullable=False),
)
"""Signed checkpoints of the log: the `latest` one, the latest one that is `witnessed`, and for each announced day an
early witnessed one with its announcement, of a kind like `daily_announced/2026-11-20`. `dating/<size, 16 digits>` is
the first witnessed one with the announcements of some competitions."""
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
Index(
    "ix_archived_games_won",
    archived_games.c.game,
    archived_games.c.revealed_at,
    sqlite_where=text("status = 'won' AND moves IS NOT NULL"),
    postgresql_where=text("status = 'won' AND moves IS NOT NULL"),
)
