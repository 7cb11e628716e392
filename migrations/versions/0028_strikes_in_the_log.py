"""Strikes in the transparency log: those of before wait for it, so that the log has them too.

Revises: 0027
"""

from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("""
        INSERT INTO log_queue (stream, version, hash, recorded_at)
        SELECT stream, version, hash, recorded_at FROM events
        WHERE stream = 'house' AND (data LIKE '%"act":"run_struck"%' OR data LIKE '%"act":"run_returned"%')
    """)


def downgrade() -> None:
    op.execute("DELETE FROM log_queue WHERE stream = 'house'")
