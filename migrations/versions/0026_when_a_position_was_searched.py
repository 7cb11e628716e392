"""When a position was searched, so that old ones can be erased. Those that are there count as searched now.

Revises: 0025
"""

import time

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("positions", sa.Column("searched_at", sa.BigInteger()))
    op.execute(f"UPDATE positions SET searched_at = {time.time_ns() // 1_000_000}")
    with op.batch_alter_table("positions") as batch:
        batch.alter_column("searched_at", existing_type=sa.BigInteger(), nullable=False)
    op.create_index("ix_positions_searched_at", "positions", ["searched_at"])


def downgrade() -> None:
    op.drop_index("ix_positions_searched_at", "positions")
    op.drop_column("positions", "searched_at")
