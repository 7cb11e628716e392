"""The grace period of a day, if a host had set one when it was announced.

Revises: 0014
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("days", sa.Column("grace", sa.BigInteger()))


def downgrade() -> None:
    op.drop_column("days", "grace")
