"""What the members of groups write, and reports of it.

Revises: 0026
"""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("groups", sa.Column("talk_since", sa.BigInteger()))
    op.add_column("groups", sa.Column("talk_serial", sa.BigInteger(), nullable=False, server_default="0"))
    op.create_table(
        "messages",
        sa.Column("id", KEY, nullable=False),
        sa.Column("group", KEY, nullable=False),
        sa.Column("serial", sa.BigInteger(), nullable=False),
        sa.Column("player", KEY, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("said_at", sa.BigInteger(), nullable=False),
        sa.Column("removed_at", sa.BigInteger()),
        sa.ForeignKeyConstraint(["group"], ["groups.id"], name="fk_messages_group", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_messages_player", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_messages"),
    )
    op.create_index("ix_messages_group_serial", "messages", ["group", "serial"])
    op.create_index("ix_messages_player_said_at", "messages", ["player", "said_at"])
    op.create_index("ix_messages_said_at", "messages", ["said_at"])
    with op.batch_alter_table("reports") as reports:
        reports.add_column(sa.Column("message", KEY, nullable=False, server_default=""))
        reports.add_column(sa.Column("quoted", sa.Text(), nullable=False, server_default=""))
        reports.drop_constraint("uq_reports_reporter_player_game", type_="unique")
        reports.create_unique_constraint(
            "uq_reports_reporter_player_game_message", ["reporter", "player", "game", "message"]
        )


def downgrade() -> None:
    op.execute("DELETE FROM reports WHERE message <> ''")
    with op.batch_alter_table("reports") as reports:
        reports.drop_constraint("uq_reports_reporter_player_game_message", type_="unique")
        reports.create_unique_constraint("uq_reports_reporter_player_game", ["reporter", "player", "game"])
        reports.drop_column("quoted")
        reports.drop_column("message")
    op.drop_table("messages")
    op.drop_column("groups", "talk_serial")
    op.drop_column("groups", "talk_since")
