"""Tokens with scopes and an end, which players make for programs and for pages of other sites.

Revises: 0005
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "personal_tokens",
        sa.Column("id", KEY, nullable=False),
        sa.Column("hash", KEY, nullable=False),
        sa.Column("player", KEY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_personal_tokens_player", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_personal_tokens"),
        sa.UniqueConstraint("hash", name="uq_personal_tokens_hash"),
    )
    op.create_index("ix_personal_tokens_player", "personal_tokens", ["player"])


def downgrade() -> None:
    op.drop_table("personal_tokens")
