"""Webhooks, what is sent to them, and what was told.

Revises: 0018
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "webhooks",
        sa.Column("id", KEY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("topics", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_webhooks"),
    )
    op.create_table(
        "deliveries",
        sa.Column("id", KEY, nullable=False),
        sa.Column("webhook", KEY, nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("next_at", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("status", sa.Integer()),
        sa.Column("problem", sa.Text()),
        sa.ForeignKeyConstraint(["webhook"], ["webhooks.id"], name="fk_deliveries_webhook", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_deliveries"),
    )
    op.create_index("ix_deliveries_webhook_created_at", "deliveries", ["webhook", "created_at"])
    waiting = sa.text("state = 'waiting'")
    op.create_index("ix_deliveries_next_at", "deliveries", ["next_at"], sqlite_where=waiting, postgresql_where=waiting)
    op.create_table(
        "news",
        sa.Column("id", KEY, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_news"),
    )


def downgrade() -> None:
    op.drop_table("news")
    op.drop_table("deliveries")
    op.drop_table("webhooks")
