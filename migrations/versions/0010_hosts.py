"""Roles, suspensions, one-time codes, and the entry of the house.

Revises: 0009
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("players", sa.Column("role", sa.Text()))
    op.add_column("players", sa.Column("suspended_until", sa.BigInteger()))
    op.add_column("tokens", sa.Column("confirmed_at", sa.BigInteger()))
    op.create_table(
        "one_time_codes",
        sa.Column("id", KEY, nullable=False),
        sa.Column("hash", KEY, nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("player", KEY),
        sa.Column("uses", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_one_time_codes_player", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_one_time_codes"),
        sa.UniqueConstraint("hash", name="uq_one_time_codes_hash"),
    )
    op.create_index("ix_one_time_codes_player", "one_time_codes", ["player"])
    op.create_table(
        "house",
        sa.Column("id", KEY, nullable=False),
        sa.Column("accounts", sa.Text(), nullable=False),
        sa.Column("guests", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_house"),
    )
    op.create_table(
        "house_notes",
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("player", KEY),
        sa.Column("note", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_house_notes_player", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("version", name="pk_house_notes"),
    )
    op.create_index("ix_house_notes_player", "house_notes", ["player"])


def downgrade() -> None:
    op.drop_table("house_notes")
    op.drop_table("house")
    op.drop_table("one_time_codes")
    op.drop_column("tokens", "confirmed_at")
    op.drop_column("players", "suspended_until")
    op.drop_column("players", "role")
