"""Ratings: what each evening has changed for each of its players.

`cadogan rebuild` fills the table from the log.

Revises: 0041
"""

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None


KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "ratings",
        sa.Column("evening", KEY, nullable=False),
        sa.Column("pool", KEY, nullable=False),
        sa.Column("kind", KEY, nullable=False),
        sa.Column("player", KEY, nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("performance", sa.Integer(), nullable=False),
        sa.Column("before", sa.Integer(), nullable=False),
        sa.Column("after", sa.Integer(), nullable=False),
        sa.Column("evenings", sa.Integer(), nullable=False),
        sa.Column("share", sa.Integer()),
        sa.PrimaryKeyConstraint("evening", "pool", "kind", "player", name="pk_ratings"),
    )
    op.create_index("ix_ratings_player", "ratings", ["player"])
    op.create_index("ix_ratings_pool", "ratings", ["pool", "kind", "player", "evenings"])


def downgrade() -> None:
    op.drop_table("ratings")
