"""How players like the page.

Revises: 0001
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "settings",
        sa.Column("player", KEY, nullable=False),
        sa.Column("chosen", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_settings_player", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("player", name="pk_settings"),
    )


def downgrade() -> None:
    op.drop_table("settings")
