"""The transparency log: what waits for it, its entries, the hashes of its tree, and its signed heads.

Everything that has ended before is put into the queue, so that the log has it too.

Revises: 0015
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "log_queue",
        sa.Column("stream", KEY, nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.Column("recorded_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("stream", "version", name="pk_log_queue"),
    )
    op.create_index("ix_log_queue_recorded_at", "log_queue", ["recorded_at"])
    op.create_table(
        "log_entries",
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("stream", KEY, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("entry", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_log_entries"),
        sa.UniqueConstraint("stream", "version", name="uq_log_entries_stream_version"),
    )
    op.create_table(
        "log_tiles",
        sa.Column("level", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("hashes", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("level", "number", name="pk_log_tiles"),
    )
    op.create_table(
        "log_heads",
        sa.Column("kind", KEY, nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("kind", name="pk_log_heads"),
    )
    op.execute("""
        INSERT INTO log_queue (stream, version, hash, recorded_at)
        SELECT events.stream, events.version, events.hash, events.recorded_at FROM events
        JOIN (SELECT stream, MAX(version) AS version FROM events
              WHERE type IN ('game_finished', 'deal_revealed', 'match_finished', 'daily_closed') GROUP BY stream
             ) AS ended ON ended.stream = events.stream AND ended.version = events.version
    """)


def downgrade() -> None:
    op.drop_table("log_heads")
    op.drop_table("log_tiles")
    op.drop_table("log_entries")
    op.drop_table("log_queue")
