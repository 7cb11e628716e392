"""The logs of others for which this server is a witness.

Revises: 0017
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "witnessed_logs",
        sa.Column("origin", KEY, nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("origin", name="pk_witnessed_logs"),
    )


def downgrade() -> None:
    op.drop_table("witnessed_logs")
