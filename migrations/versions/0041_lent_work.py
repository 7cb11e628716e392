"""Analyses that players carry out on their own machines, and whether the house has checked them.

Revises: 0040
"""

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None


def upgrade() -> None:
    key = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    op.create_table(
        "contributions",
        sa.Column("id", key, nullable=False),
        sa.Column("game", key, nullable=False),
        sa.Column("solver", sa.Integer(), nullable=False),
        sa.Column("player", key, nullable=False),
        sa.Column("person", key, nullable=False),
        sa.Column("taken_at", sa.BigInteger(), nullable=False),
        sa.Column("held_until", sa.BigInteger()),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("findings", sa.Text()),
        sa.Column("claims", sa.Text()),
        sa.Column("checked", sa.Text()),
        sa.PrimaryKeyConstraint("id", name="pk_contributions"),
    )
    op.create_index("ix_contributions_person", "contributions", ["person"])
    op.create_index("ix_contributions_checked", "contributions", ["checked", "held_until"])


def downgrade() -> None:
    op.drop_table("contributions")
