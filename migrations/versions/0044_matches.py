"""Matches: who plays against the leader of a contest, and indexes for the matches of a player.

Revises: 0043
"""

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None


KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("contests", sa.Column("opponent", KEY))
    op.create_index("ix_contests_leader", "contests", ["leader"])
    op.create_index("ix_contests_opponent", "contests", ["opponent"])


def downgrade() -> None:
    op.drop_index("ix_contests_opponent", "contests")
    op.drop_index("ix_contests_leader", "contests")
    op.drop_column("contests", "opponent")
