"""Days that wait to be compared are in the outbox.

Revises: 0033
"""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("findings", sa.Column("next_at", sa.BigInteger()))
    op.add_column("findings", sa.Column("attempts", sa.Integer(), nullable=False, server_default="0"))
    op.execute("UPDATE findings SET next_at = at, attempts = 1 WHERE found IS NULL")


def downgrade() -> None:
    op.drop_column("findings", "attempts")
    op.drop_column("findings", "next_at")
