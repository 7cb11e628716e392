"""The first tables: the log, what is derived from it, and what is no event.

Revises: nothing
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
POSITION = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    _log()
    _derived()
    _boards()
    _accounts()
    _company()
    _secrets()


def _log() -> None:
    op.create_table(
        "events",
        sa.Column("position", POSITION, sa.Identity(), nullable=False),
        sa.Column("stream", KEY, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("command_id", KEY),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("schema", sa.Integer(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("recorded_at", sa.BigInteger(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("position", name="pk_events"),
        sa.UniqueConstraint("stream", "version", name="uq_events_stream_version"),
        sa.UniqueConstraint("stream", "command_id", name="uq_events_stream_command_id"),
    )


def _derived() -> None:
    op.create_table(
        "games",
        sa.Column("id", KEY, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("player", KEY, nullable=False),
        sa.Column("deal", KEY, nullable=False),
        sa.Column("day", KEY),
        sa.Column("slot", sa.Integer()),
        sa.Column("match", KEY),
        sa.Column("ranked", sa.Boolean(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("score", sa.Integer()),
        sa.Column("moves", sa.Integer()),
        sa.Column("milliseconds", sa.BigInteger()),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
    )
    op.create_index("ix_games_status_started_at", "games", ["status", "started_at"])
    op.create_index("ix_games_player_started_at", "games", ["player", "started_at"])
    op.create_index(
        "uq_games_deal_player_ranked",
        "games",
        ["deal", "player"],
        unique=True,
        sqlite_where=sa.text("ranked"),
        postgresql_where=sa.text("ranked"),
    )
    op.create_table(
        "entries",
        sa.Column("game_id", KEY, nullable=False),
        sa.Column("deal", KEY, nullable=False),
        sa.Column("day", KEY, nullable=False),
        sa.Column("slot", sa.Integer(), nullable=False),
        sa.Column("rules", KEY, nullable=False),
        sa.Column("player", KEY, nullable=False),
        sa.Column("result", sa.Text(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("milliseconds", sa.BigInteger(), nullable=False),
        sa.Column("active", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_entries"),
        sa.UniqueConstraint("deal", "player", name="uq_entries_deal_player"),
    )
    op.create_index("ix_entries_player_day", "entries", ["player", "day"])
    op.create_index("ix_entries_day", "entries", ["day"])
    op.create_table(
        "races",
        sa.Column("id", KEY, nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("open", sa.Boolean(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_races"),
    )
    op.create_index("ix_races_opened_at", "races", ["opened_at"])


def _boards() -> None:
    op.create_table(
        "totals",
        sa.Column("board", KEY, nullable=False),
        sa.Column("player", KEY, nullable=False),
        sa.Column("deficit", sa.BigInteger(), nullable=False),
        sa.Column("moves", sa.BigInteger(), nullable=False),
        sa.Column("milliseconds", sa.BigInteger(), nullable=False),
        sa.Column("runs", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("board", "player", name="pk_totals"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_totals_board", "totals", ["board", "deficit", "moves", "milliseconds", "player", "runs"])
    op.create_table(
        "buckets",
        sa.Column("board", KEY, nullable=False),
        sa.Column("level", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("deficit", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("moves", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("milliseconds", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("board", "level", "deficit", "moves", "milliseconds", name="pk_buckets"),
        sqlite_with_rowid=False,
    )


def _accounts() -> None:
    op.create_table(
        "players",
        sa.Column("id", KEY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_key", KEY),
        sa.Column("password_hash", sa.Text()),
        sa.Column("owner", KEY),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["players.id"], name="fk_players_owner", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
        sa.UniqueConstraint("name_key", name="uq_players_name_key"),
    )
    op.create_index("ix_players_owner", "players", ["owner"])
    op.create_table(
        "tokens",
        sa.Column("hash", KEY, nullable=False),
        sa.Column("player", KEY, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_tokens_player", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("hash", name="pk_tokens"),
    )
    op.create_index("ix_tokens_player", "tokens", ["player"])


def _company() -> None:
    op.create_table(
        "follows",
        sa.Column("player", KEY, nullable=False),
        sa.Column("friend", KEY, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_follows_player", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["friend"], ["players.id"], name="fk_follows_friend", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("player", "friend", name="pk_follows"),
    )
    op.create_index("ix_follows_friend", "follows", ["friend"])
    op.create_table(
        "groups",
        sa.Column("id", KEY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("token", KEY, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_groups"),
        sa.UniqueConstraint("token", name="uq_groups_token"),
    )
    op.create_table(
        "members",
        sa.Column("group", KEY, nullable=False),
        sa.Column("player", KEY, nullable=False),
        sa.Column("joined_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["group"], ["groups.id"], name="fk_members_group", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_members_player", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("group", "player", name="pk_members"),
    )
    op.create_index("ix_members_player", "members", ["player"])


def _secrets() -> None:
    op.create_table(
        "deals",
        sa.Column("id", KEY, nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("commitment", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_deals"),
    )
    op.create_table(
        "days",
        sa.Column("day", KEY, nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("commitment", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("day", name="pk_days"),
    )


def downgrade() -> None:
    company = ("members", "groups", "follows", "tokens", "players")
    for table in (*company, "buckets", "totals", "races", "entries", "games", "events", "days", "deals"):
        op.drop_table(table)
