"""What the search for daily deals that can be won has found.

Revises: 0007
"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "certificates",
        sa.Column("deal", _KEY, nullable=False),
        sa.Column("certificate", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("deal", name="pk_certificates"),
    )


def downgrade() -> None:
    op.drop_table("certificates")
