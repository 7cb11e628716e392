"""The mails of accounts wait in the outbox.

Revises: 0038
"""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "waiting_mails",
        sa.Column("player", KEY, nullable=False),
        sa.Column("domain", KEY, nullable=False),
        sa.Column("site", sa.Text(), nullable=False),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.Column("next_at", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player"], ["mail_addresses.player"], name="fk_waiting_mails_player", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("player", name="pk_waiting_mails"),
    )
    op.create_index("ix_waiting_mails_next_at", "waiting_mails", ["next_at"])


def downgrade() -> None:
    op.drop_table("waiting_mails")
