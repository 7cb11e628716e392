"""Passkeys.

Revises: 0019
"""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "passkeys",
        sa.Column("id", KEY, nullable=False),
        sa.Column("credential", KEY, nullable=False),
        sa.Column("player", KEY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("sign_count", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_passkeys_player", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_passkeys"),
        sa.UniqueConstraint("credential", name="uq_passkeys_credential"),
    )
    op.create_index("ix_passkeys_player", "passkeys", ["player"])


def downgrade() -> None:
    op.drop_table("passkeys")
