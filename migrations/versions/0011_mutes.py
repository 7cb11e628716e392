"""Mutes of players.

Revises: 0010
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("players", sa.Column("muted_until", sa.BigInteger()))


def downgrade() -> None:
    op.drop_column("players", "muted_until")
