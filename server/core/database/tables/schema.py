"""Shared by all tables: the naming of constraints, and the column types."""

from sqlalchemy import BigInteger, MetaData, Text

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

Key = Text().with_variant(Text(collation="C"), "postgresql")
"""Text that both databases compare byte by byte, whatever the database's locale."""

Milliseconds = BigInteger()
