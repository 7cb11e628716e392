"""Days in the transparency log before their close: the events of the days that have not closed wait for it.

Revises: 0034
"""

from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
        INSERT INTO log_queue (stream, version, hash, recorded_at)
        SELECT type || substr(stream, 6), version, hash, recorded_at FROM events
        WHERE stream >= 'daily/' AND stream < 'daily0' AND type IN ('daily_announced', 'daily_drawn', 'daily_opened')
        AND stream NOT IN (
            SELECT stream FROM events WHERE stream >= 'daily/' AND stream < 'daily0' AND type = 'daily_closed'
        )
    """)


def downgrade() -> None:
    op.execute("""
        DELETE FROM log_queue WHERE stream LIKE 'daily_announced/%' OR stream LIKE 'daily_drawn/%'
        OR stream LIKE 'daily_opened/%'
    """)
