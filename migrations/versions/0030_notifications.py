"""Notifications by Web Push.

Revises: 0029
"""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "notification_keys",
        sa.Column("id", KEY, nullable=False),
        sa.Column("private_key", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_notification_keys"),
    )
    op.create_table(
        "notification_devices",
        sa.Column("session", KEY, nullable=False),
        sa.Column("player", KEY, nullable=False),
        sa.Column("endpoint", sa.Text(), nullable=False),
        sa.Column("endpoint_hash", KEY, nullable=False),
        sa.Column("public_key", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("topics", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("time_zone", sa.Text(), nullable=False),
        sa.Column("quiet_from", sa.Integer()),
        sa.Column("quiet_until", sa.Integer()),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        _belongs("notification_devices", "session", "tokens.hash"),
        _belongs("notification_devices", "player", "players.id"),
        sa.PrimaryKeyConstraint("session", name="pk_notification_devices"),
    )
    op.create_index("ix_notification_devices_player", "notification_devices", ["player"])
    op.create_index("ix_notification_devices_endpoint_hash", "notification_devices", ["endpoint_hash"])
    op.create_table(
        "notifications",
        sa.Column("id", KEY, nullable=False),
        sa.Column("session", KEY, nullable=False),
        sa.Column("player", KEY, nullable=False),
        sa.Column("service", KEY, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("games", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("next_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        _belongs("notifications", "session", "notification_devices.session"),
        _belongs("notifications", "player", "players.id"),
        sa.PrimaryKeyConstraint("id", name="pk_notifications"),
    )
    for column in ("session", "player", "service", "next_at"):
        op.create_index(f"ix_notifications_{column}", "notifications", [column])
    op.create_table(
        "notified_ranks",
        sa.Column("player", KEY, nullable=False),
        sa.Column("day", KEY, nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("total", sa.Text(), nullable=False),
        sa.Column("told", sa.Integer(), nullable=False),
        sa.Column("told_at", sa.BigInteger(), nullable=False),
        _belongs("notified_ranks", "player", "players.id"),
        sa.PrimaryKeyConstraint("player", "day", name="pk_notified_ranks"),
    )


def _belongs(table: str, column: str, to: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [to], name=f"fk_{table}_{column}", ondelete="CASCADE")


def downgrade() -> None:
    for table in ("notified_ranks", "notifications", "notification_devices", "notification_keys"):
        op.drop_table(table)
