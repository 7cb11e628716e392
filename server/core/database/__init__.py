"""The database: connections to SQLite and PostgreSQL, the tables, and their migrations.

SQL that belongs to one subject is in the package of that subject, not here.
"""
