"""Devices count once something has arrived there.

Revises: 0032
"""

from urllib.parse import urlsplit

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
ADDED = ("named_by", "service", "delivered_at")


def upgrade() -> None:
    connection = op.get_bind()
    with op.batch_alter_table("notification_devices") as table:
        table.add_column(sa.Column("named_by", KEY))
        table.add_column(sa.Column("service", KEY))
        table.add_column(sa.Column("delivered_at", sa.BigInteger()))
    devices = sa.table(
        "notification_devices", *map(sa.column, ("session", "player", "endpoint", "named_by", "service"))
    )
    rows = connection.execute(sa.select(devices.c.session, devices.c.player, devices.c.endpoint)).all()
    for session, player, endpoint in rows:
        values = {"named_by": player, "service": urlsplit(endpoint).netloc.lower()}
        connection.execute(sa.update(devices).where(devices.c.session == session).values(values))
    with op.batch_alter_table("notification_devices") as table:
        table.alter_column("named_by", existing_type=KEY, nullable=False)
        table.alter_column("service", existing_type=KEY, nullable=False)
    for name in ("named_by", "service"):
        op.create_index(f"ix_notification_devices_{name}", "notification_devices", [name])


def downgrade() -> None:
    for name in ("service", "named_by"):
        op.drop_index(f"ix_notification_devices_{name}", "notification_devices")
    with op.batch_alter_table("notification_devices") as table:
        for name in reversed(ADDED):
            table.drop_column(name)
