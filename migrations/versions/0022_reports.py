"""Reports of players.

Revises: 0021
"""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "reports",
        sa.Column("id", KEY, nullable=False),
        sa.Column("reporter", KEY, nullable=False),
        sa.Column("player", KEY, nullable=False),
        sa.Column("game", KEY, nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("reported_at", sa.BigInteger(), nullable=False),
        sa.Column("settled_at", sa.BigInteger()),
        sa.Column("outcome", sa.Text()),
        sa.ForeignKeyConstraint(["reporter"], ["players.id"], name="fk_reports_reporter", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_reports_player", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_reports"),
        sa.UniqueConstraint("reporter", "player", "game", name="uq_reports_reporter_player_game"),
    )
    op.create_index("ix_reports_player", "reports", ["player"])
    op.create_index("ix_reports_settled_at", "reports", ["settled_at", "reported_at"])


def downgrade() -> None:
    op.drop_table("reports")
