"""Archives of old games: the files, and what stays of each game.

Revises: 0020
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "archives",
        sa.Column("sha256", KEY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("before", KEY, nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name="pk_archives"),
    )
    op.create_table(
        "archived_games",
        sa.Column("stream", KEY, nullable=False),
        sa.Column("archive", KEY, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("revealed_at", sa.BigInteger()),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("moves", sa.Integer()),
        sa.Column("milliseconds", sa.BigInteger()),
        sa.ForeignKeyConstraint(["archive"], ["archives.sha256"], name="fk_archived_games_archive"),
        sa.PrimaryKeyConstraint("stream", name="pk_archived_games"),
    )
    op.create_index("ix_archived_games_archive", "archived_games", ["archive"])


def downgrade() -> None:
    op.drop_table("archived_games")
    op.drop_table("archives")
