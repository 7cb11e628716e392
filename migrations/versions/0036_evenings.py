"""Evenings: what lists show of the streams of competitions, the names of guests, and outages.

Revises: 0035
"""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None


KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "contests",
        sa.Column("id", KEY, nullable=False),
        sa.Column("competition", KEY, nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("leader", KEY, nullable=False),
        sa.Column("group", KEY),
        sa.Column("entry", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("starts_at", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_contests"),
    )
    op.create_index("ix_contests_ends_at", "contests", ["competition", "ends_at"])
    op.create_table(
        "evening_names",
        sa.Column("evening", KEY, nullable=False),
        sa.Column("player", KEY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("key", KEY, nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_evening_names_player_players", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("evening", "player", name="pk_evening_names"),
        sa.UniqueConstraint("evening", "key", name="uq_evening_names_evening_key"),
    )
    op.create_index("ix_evening_names_player", "evening_names", ["player"])
    op.create_table(
        "pulse",
        sa.Column("name", KEY, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_pulse"),
    )


def downgrade() -> None:
    op.drop_table("pulse")
    op.drop_table("evening_names")
    op.drop_table("contests")
