"""The analysis of games: jobs with what was found, the positions that were searched, and games played on from others.

Revises: 0008
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_IS_WAITING = sa.text("done_at IS NULL")
_STATISTICS = "ix_games_player_game_finished_at"


def _index_statistics(condition: str) -> None:
    columns = ["player", "game", "finished_at", "status", "score"]
    op.create_index(_STATISTICS, "games", columns, sqlite_where=sa.text(condition), postgresql_where=sa.text(condition))


def upgrade() -> None:
    op.create_table(
        "analyses",
        sa.Column("game", _KEY, nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("solver", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("person", _KEY, nullable=False),
        sa.Column("turn", sa.BigInteger(), nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.Column("analyst", _KEY, nullable=True),
        sa.Column("held_until", sa.BigInteger(), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.Column("findings", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("game", "version", "solver", name="pk_analyses"),
    )
    for column in ("turn", "person"):
        op.create_index(
            f"ix_analyses_{column}", "analyses", [column], sqlite_where=_IS_WAITING, postgresql_where=_IS_WAITING
        )
    op.create_table(
        "positions",
        sa.Column("position", _KEY, nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("nodes", sa.Integer(), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("position", name="pk_positions"),
    )
    op.drop_index(_STATISTICS, "games")
    op.add_column("games", sa.Column("origin", _KEY, nullable=True))
    _index_statistics("finished_at IS NOT NULL AND origin IS NULL")


def downgrade() -> None:
    op.drop_index(_STATISTICS, "games")
    op.drop_column("games", "origin")
    _index_statistics("finished_at IS NOT NULL")
    op.drop_table("positions")
    op.drop_table("analyses")
