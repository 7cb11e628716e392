"""What the copy detector has found is kept, and webhooks have a language.

Revises: 0024
"""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "findings",
        sa.Column("day", KEY, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("found", sa.Text()),
        sa.Column("seen_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("day", name="pk_findings"),
    )
    op.add_column("webhooks", sa.Column("language", KEY, nullable=False, server_default="en"))


def downgrade() -> None:
    op.drop_column("webhooks", "language")
    op.drop_table("findings")
