"""The ids of the players who were erased.

Revises: 0012
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "erased",
        sa.Column("player", KEY, nullable=False),
        sa.Column("erased_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("player", name="pk_erased"),
    )


def downgrade() -> None:
    op.drop_table("erased")
