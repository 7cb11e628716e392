"""Days that wait to be compared are in the outbox, and what has ended is read with cursors.

Revises: 0033
"""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "feed_cursors",
        sa.Column("reader", KEY, nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("reader", name="pk_feed_cursors"),
    )
    op.execute("INSERT INTO feed_cursors SELECT 'overtaken', MAX(number) + 1 FROM log_entries HAVING COUNT(*) > 0")
    op.add_column("findings", sa.Column("next_at", sa.BigInteger()))
    op.add_column("findings", sa.Column("attempts", sa.Integer(), nullable=False, server_default="0"))
    op.execute("UPDATE findings SET next_at = at, attempts = 1 WHERE found IS NULL")


def downgrade() -> None:
    op.drop_column("findings", "attempts")
    op.drop_column("findings", "next_at")
    op.drop_table("feed_cursors")
