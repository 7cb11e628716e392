"""When a name was claimed, when a bot was retired, and who opened a race.

A name that is there already counts as claimed when its account was made. Races that were opened before have no host
here; within an hour none of them is open any more.

Revises: 0004
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("players", sa.Column("claimed_at", sa.BigInteger()))
    op.add_column("players", sa.Column("retired_at", sa.BigInteger()))
    op.add_column("races", sa.Column("host", KEY))
    op.execute("UPDATE players SET claimed_at = created_at WHERE password_hash IS NOT NULL")


def downgrade() -> None:
    op.drop_column("races", "host")
    op.execute("UPDATE players SET owner = NULL WHERE retired_at IS NOT NULL")
    op.drop_column("players", "retired_at")
    op.drop_column("players", "claimed_at")
