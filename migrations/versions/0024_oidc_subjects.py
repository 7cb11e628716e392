"""Sign-ins by a provider.

Revises: 0023
"""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

KEY = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "oidc_subjects",
        sa.Column("issuer", KEY, nullable=False),
        sa.Column("subject", KEY, nullable=False),
        sa.Column("player", KEY, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["player"], ["players.id"], name="fk_oidc_subjects_player", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("issuer", "subject", name="pk_oidc_subjects"),
    )
    op.create_index("ix_oidc_subjects_player", "oidc_subjects", ["player"])


def downgrade() -> None:
    op.drop_table("oidc_subjects")
