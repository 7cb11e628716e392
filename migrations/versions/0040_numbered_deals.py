"""Games by the number of their deal, for the board of everybody who has played it.

`cadogan rebuild` fills the number for games of before.

Revises: 0039
"""

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("games") as table:
        table.add_column(sa.Column("number", sa.BigInteger()))
    has_number = sa.text("number IS NOT NULL")
    op.create_index(
        "ix_games_game_number",
        "games",
        ["game", "number"],
        sqlite_where=has_number,
        postgresql_where=has_number,
    )


def downgrade() -> None:
    op.drop_index("ix_games_game_number", "games")
    with op.batch_alter_table("games") as table:
        table.drop_column("number")
