"""No two names look alike.

Names that already look alike stay. Their skeletons belong to the older account.

Revises: 0002
"""

import sqlalchemy as sa
from alembic import op

from cadogan.server.core.username_rules import skeletons

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
ROWS_AT_ONCE = 300


def upgrade() -> None:
    table = op.create_table(
        "name_skeletons",
        sa.Column("skeleton", KEY, nullable=False),
        sa.Column("player", KEY, nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_name_skeletons_player", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("skeleton", name="pk_name_skeletons"),
    )
    op.create_index("ix_name_skeletons_player", "name_skeletons", ["player"])
    names = sa.text("SELECT id, name FROM players WHERE name_key IS NOT NULL ORDER BY created_at, id")
    owners: dict[str, str] = {}
    for player, name in op.get_bind().execute(names):
        for skeleton in skeletons(name):
            owners.setdefault(skeleton, player)
    rows = [{"skeleton": skeleton, "player": player} for skeleton, player in sorted(owners.items())]
    for start in range(0, len(rows), ROWS_AT_ONCE):
        op.bulk_insert(table, rows[start : start + ROWS_AT_ONCE])


def downgrade() -> None:
    op.drop_table("name_skeletons")
