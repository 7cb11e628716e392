"""Runs that hosts have taken off the boards.

Revises: 0016
"""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "strikes",
        sa.Column("game_id", KEY, nullable=False),
        sa.Column("player", KEY, nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("struck_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_strikes"),
    )
    op.create_index("ix_strikes_player", "strikes", ["player"])


def downgrade() -> None:
    op.drop_table("strikes")
