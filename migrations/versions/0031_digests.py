"""The digest of the week.

Revises: 0030
"""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "digest_readers",
        sa.Column("player", KEY, nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("week", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("refusals", sa.Integer(), nullable=False),
        sa.Column("problem", sa.Text()),
        sa.ForeignKeyConstraint(
            ["player"], ["mail_addresses.player"], name="fk_digest_readers_player", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("player", name="pk_digest_readers"),
    )
    op.create_index("ix_digest_readers_next_at", "digest_readers", ["next_at"])


def downgrade() -> None:
    op.drop_table("digest_readers")
