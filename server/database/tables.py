"""The tables of the database, which are the same on SQLite and PostgreSQL.

`events` is the log, the source of truth. `games`, `races`, `entries`, `totals` and `buckets` are derived from the log
and can be rebuilt (`cadogan rebuild`). The other tables hold what may change, be erased or stay secret; therefore it is
not in the log. Times are integers, in milliseconds since 1970 UTC. Hashes and secrets are in hex, except the hash of an
event, which is 32 bytes.

A change of these tables needs a migration: see `migrations/README.md`.
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
"""Text that both databases compare byte by byte, whatever the database's locale."""

Position = BigInteger().with_variant(Integer, "sqlite")
"""An integer that the database assigns: PostgreSQL by itself, SQLite by the trigger `assign_position`."""

Milliseconds = BigInteger()

events = Table(
    "events",
    metadata,
    Column("position", Position, Identity(), nullable=False, index=True),
    Column("stream", Key, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("command_id", Key),
    Column("type", Text, nullable=False),
    Column("schema", Integer, nullable=False),
    Column("data", Text, nullable=False),
    Column("recorded_at", Milliseconds, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    UniqueConstraint("stream", "command_id"),
)
"""The log. Every constraint contains the stream, as a table needs that is partitioned or distributed by it. `position`
tells two events apart, for exports in roughly the order of writing. Positions may have gaps, and an event may be
committed after one with a greater position."""

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
"""`origin` is the game that this one was played on from; such a game is in no statistics."""
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
"""Has all that statistics of a player need, so that they read no row of the table."""
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
a smaller value is better, so that one ascending index is the leaderboard from its first place to its last."""
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
"""How many totals of a leaderboard are in each rank bucket (`server.leaderboards.rank_index`)."""

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

players = Table(
    "players",
    metadata,
    Column("id", Key, primary_key=True),
    Column("name", Text, nullable=False),
    Column("name_key", Key, unique=True),
    Column("password_hash", Text),
    Column("owner", Key, ForeignKey("players.id", ondelete="SET NULL"), index=True),
    Column("created_at", Milliseconds, nullable=False),
    Column("claimed_at", Milliseconds),
    Column("retired_at", Milliseconds),
    Column("role", Text),
    Column("suspended_until", Milliseconds),
)
"""`owner` is the player who created a bot; it is empty for people. `claimed_at` is when a person claimed a name; it is
empty for guests and bots. A bot that is retired keeps its owner. `role` is `moderator`, `host` or empty. Until
`suspended_until` the account cannot be used; `server.core.dates.LAST_MOMENT` stands for a ban."""

name_skeletons = Table(
    "name_skeletons",
    metadata,
    Column("skeleton", Key, primary_key=True),
    Column("player", Key, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
)
"""The skeletons of all claimed names (`server.core.username_rules.skeletons`): no two names look alike."""

tokens = Table(
    "tokens",
    metadata,
    Column("hash", Key, primary_key=True),
    Column("player", Key, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created_at", Milliseconds, nullable=False),
    Column("expires_at", Milliseconds, nullable=False),
    Column("confirmed_at", Milliseconds),
)
"""`confirmed_at` is when the player last entered the password again in this session."""

personal_tokens = Table(
    "personal_tokens",
    metadata,
    Column("id", Key, primary_key=True),
    Column("hash", Key, nullable=False, unique=True),
    Column("player", Key, ForeignKey("players.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", Text, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("created_at", Milliseconds, nullable=False),
    Column("expires_at", Milliseconds, nullable=False),
)
"""`scopes` are words with spaces between them."""

settings = Table(
    "settings",
    metadata,
    Column("player", Key, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("chosen", Text, nullable=False),
)
"""A player's settings of the web page, as JSON (`clients.wire.settings`)."""

one_time_codes = Table(
    "one_time_codes",
    metadata,
    Column("id", Key, primary_key=True),
    Column("hash", Key, nullable=False, unique=True),
    Column("purpose", Text, nullable=False),
    Column("player", Key, ForeignKey("players.id", ondelete="CASCADE"), index=True),
    Column("uses", Integer, nullable=False),
    Column("created_at", Milliseconds, nullable=False),
    Column("expires_at", Milliseconds, nullable=False),
)
"""Codes that are part of a link, by their SHA-256 (`server.players.one_time_codes`). `uses` is how many are left."""

house = Table(
    "house",
    metadata,
    Column("id", Key, primary_key=True),
    Column("accounts", Text, nullable=False),
    Column("guests", Boolean, nullable=False),
)
"""What hosts have set for the whole server: at most one row (`server.house.entry`)."""

house_notes = Table(
    "house_notes",
    metadata,
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("player", Key, ForeignKey("players.id", ondelete="CASCADE"), index=True),
    Column("note", Text, nullable=False),
)
"""What a host wrote beside an act, by the version of its event in the stream `house`. It may name people, so it is not
in the log, and is erased with the account it is about."""

follows = Table(
    "follows",
    metadata,
    Column("player", Key, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("friend", Key, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("created_at", Milliseconds, nullable=False),
)

groups = Table(
    "groups",
    metadata,
    Column("id", Key, primary_key=True),
    Column("name", Text, nullable=False),
    Column("token", Key, nullable=False, unique=True),
    Column("created_at", Milliseconds, nullable=False),
)
"""`token` is part of the link with which a player joins the group."""

members = Table(
    "members",
    metadata,
    Column("group", Key, ForeignKey("groups.id", ondelete="CASCADE"), primary_key=True),
    Column("player", Key, ForeignKey("players.id", ondelete="CASCADE"), primary_key=True, index=True),
    Column("joined_at", Milliseconds, nullable=False),
)

deals = Table(
    "deals",
    metadata,
    Column("id", Key, primary_key=True),
    Column("game", Text, nullable=False),
    Column("secret", Text, nullable=False),
    Column("commitment", Text, nullable=False),
    Column("created_at", Milliseconds, nullable=False),
)

days = Table(
    "days",
    metadata,
    Column("day", Key, primary_key=True),
    Column("secret", Text, nullable=False),
    Column("commitment", Text, nullable=False),
    Column("created_at", Milliseconds, nullable=False),
)
"""One secret for each day; it is the secret of all deals of that day."""

certificates = Table(
    "certificates",
    metadata,
    Column("deal", Key, primary_key=True),
    Column("certificate", Text),
    Column("created_at", Milliseconds, nullable=False),
)
"""What the search for a win has found of each deal of a day (`server.fairness.certificates`), as JSON; nothing if no
candidate was won. It is a secret until the day has closed."""

analyses = Table(
    "analyses",
    metadata,
    Column("game", Key, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("solver", Integer, primary_key=True, autoincrement=False),
    Column("person", Key, nullable=False),
    Column("turn", BigInteger, nullable=False),
    Column("asked_at", Milliseconds, nullable=False),
    Column("analyst", Key),
    Column("held_until", Milliseconds),
    Column("failures", Integer, nullable=False),
    Column("done_at", Milliseconds),
    Column("findings", Text),
)
"""The jobs of the analysts, and what they found. A `version` of 0 is the analysis of a whole finished game, any other
the question whether the position at this version can be won. `person` asked for it, and `turn` is its place in the
queue (`server.analysis.jobs`). An `analyst` holds the job until a moment, unless it holds it longer. `findings` are
JSON (`server.analysis.findings`): all that was found so far."""
Index(
    "ix_analyses_turn",
    analyses.c.turn,
    sqlite_where=text("done_at IS NULL"),
    postgresql_where=text("done_at IS NULL"),
)
Index(
    "ix_analyses_person",
    analyses.c.person,
    sqlite_where=text("done_at IS NULL"),
    postgresql_where=text("done_at IS NULL"),
)

positions = Table(
    "positions",
    metadata,
    Column("position", Key, primary_key=True),
    Column("verdict", Text, nullable=False),
    Column("nodes", Integer, nullable=False),
    Column("line", Text, nullable=False),
)
"""Every position that was searched, so that none is searched twice. The key is a hash that tells the deal, the position
and the version of the solver apart from all others; it says nothing to who does not know them."""
