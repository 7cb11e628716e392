"""The database: connections to SQLite and PostgreSQL, its tables, and which revision of them it has.

SQL that belongs to one subject lives with that subject, not here. May be imported by every package but `core`; imports
`core` only.
"""
