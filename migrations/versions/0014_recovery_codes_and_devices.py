"""Recovery codes, and the devices of sessions.

Revises: 0013
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "recovery_codes",
        sa.Column("hash", KEY, nullable=False),
        sa.Column("player", KEY, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_recovery_codes_player", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("hash", name="pk_recovery_codes"),
    )
    op.create_index("ix_recovery_codes_player", "recovery_codes", ["player"])
    op.add_column("tokens", sa.Column("used_at", sa.BigInteger()))
    op.add_column("tokens", sa.Column("browser", sa.Text()))
    op.add_column("tokens", sa.Column("system", sa.Text()))


def downgrade() -> None:
    op.drop_column("tokens", "system")
    op.drop_column("tokens", "browser")
    op.drop_column("tokens", "used_at")
    op.drop_table("recovery_codes")
