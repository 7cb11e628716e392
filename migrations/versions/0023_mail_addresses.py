"""Addresses for mails.

Revises: 0022
"""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "mail_addresses",
        sa.Column("player", KEY, nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("key", KEY, nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("confirmed_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_mail_addresses_player", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("player", name="pk_mail_addresses"),
    )
    op.create_index("ix_mail_addresses_key", "mail_addresses", ["key"])


def downgrade() -> None:
    op.drop_table("mail_addresses")
