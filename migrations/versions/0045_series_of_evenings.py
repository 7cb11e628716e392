"""Series of evenings: the first evening of those that repeat, by which the next one is found.

Revises: 0044
"""

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None


KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("contests", sa.Column("series", KEY))
    op.create_index("ix_contests_series", "contests", ["series"])


def downgrade() -> None:
    op.drop_index("ix_contests_series", "contests")
    op.drop_column("contests", "series")
