"""Indexes of the wins of each game, by which the first win of a game in the house is found.

Revises: 0036
"""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None

GAMES = sa.text("status = 'won' AND origin IS NULL")
ARCHIVED = sa.text("status = 'won' AND moves IS NOT NULL")


def upgrade() -> None:
    op.create_index("ix_games_won", "games", ["game", "finished_at", "id"], sqlite_where=GAMES, postgresql_where=GAMES)
    op.create_index(
        "ix_archived_games_won",
        "archived_games",
        ["game", "revealed_at"],
        sqlite_where=ARCHIVED,
        postgresql_where=ARCHIVED,
    )


def downgrade() -> None:
    op.drop_index("ix_archived_games_won", "archived_games")
    op.drop_index("ix_games_won", "games")
