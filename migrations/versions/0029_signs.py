"""Signs beside races and at the end of games.

Revises: 0028
"""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "signs",
        sa.Column("place", KEY, nullable=False),
        sa.Column("player", KEY, nullable=False),
        sa.Column("sign", sa.Text(), nullable=False),
        sa.Column("given_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_signs_player", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("place", "player", name="pk_signs"),
    )
    op.create_index("ix_signs_player", "signs", ["player"])
    op.create_index("ix_signs_given_at", "signs", ["given_at"])


def downgrade() -> None:
    op.drop_table("signs")
