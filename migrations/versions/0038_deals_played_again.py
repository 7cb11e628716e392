"""Deals that are played again: games by their deal, and the version from which a game continues.

`cadogan rebuild` fills the version for games of before.

Revises: 0037
"""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("games") as table:
        table.add_column(sa.Column("origin_version", sa.Integer()))
    op.create_index("ix_games_deal", "games", ["deal"])


def downgrade() -> None:
    op.drop_index("ix_games_deal", "games")
    with op.batch_alter_table("games") as table:
        table.drop_column("origin_version")
