"""An index with all that the statistics of a player need of finished games.

Revises: 0006
"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_FINISHED = sa.text("finished_at IS NOT NULL")


def upgrade() -> None:
    op.create_index(
        "ix_games_player_game_finished_at",
        "games",
        ["player", "game", "finished_at", "status", "score"],
        sqlite_where=_FINISHED,
        postgresql_where=_FINISHED,
    )


def downgrade() -> None:
    op.drop_index("ix_games_player_game_finished_at", "games")
