"""Indexes for the pages that anybody may ask for: a player's wins, and the boards of deals.

Revises: 0042
"""

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None

WON = "status = 'won' AND origin IS NULL"
WON_COLUMNS = ["status", "origin"]
FINISHED = "finished_at IS NOT NULL"
OF_NUMBER = "number IS NOT NULL"
BEST: list[sa.TextClause | str] = [sa.text("score DESC"), "moves", "milliseconds", "id"]


def make_index(name: str, columns: list[sa.TextClause | str], where: str) -> None:
    """Create an index of games that has only the rows with this condition."""
    op.create_index(name, "games", columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where))


def upgrade() -> None:
    op.drop_index("ix_games_won", "games")
    make_index("ix_games_won", ["game", "finished_at", "id", "player", *WON_COLUMNS], WON)
    make_index(
        "ix_games_player_won", ["player", "game", "finished_at", "id", "moves", "milliseconds", *WON_COLUMNS], WON
    )
    make_index("ix_games_deal_best", ["deal", *BEST], FINISHED)
    make_index("ix_games_number_best", ["game", "number", *BEST], f"{OF_NUMBER} AND {FINISHED}")
    op.drop_index("ix_games_game_number", "games")
    op.create_index("ix_entries_deal_result", "entries", ["deal", "result", "player", "game_id"])


def downgrade() -> None:
    op.drop_index("ix_entries_deal_result", "entries")
    make_index("ix_games_game_number", ["game", "number"], OF_NUMBER)
    op.drop_index("ix_games_number_best", "games")
    op.drop_index("ix_games_deal_best", "games")
    op.drop_index("ix_games_player_won", "games")
    op.drop_index("ix_games_won", "games")
    make_index("ix_games_won", ["game", "finished_at", "id"], WON)
