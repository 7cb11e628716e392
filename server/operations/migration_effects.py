"""The effects of a migration on existing tables, read from its file without running it.

Tables that the migration itself creates are empty, and are not listed.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from enum import IntEnum
from pathlib import Path


class Effect(IntEnum):
    """The effect of a migration on a table, in increasing order of cost."""

    CHANGES_COLUMNS = 1
    """Columns are added or dropped: the table is locked briefly."""
    BUILDS_INDEX = 2
    """The whole table is read, and writes are blocked meanwhile."""
    REWRITES = 3
    """Rows are changed or copied: writes are blocked, and the table needs its disk space a second time."""


_OPERATIONS: Mapping[str, tuple[int, Effect]] = {
    "add_column": (0, Effect.CHANGES_COLUMNS),
    "drop_column": (0, Effect.CHANGES_COLUMNS),
    "drop_constraint": (1, Effect.CHANGES_COLUMNS),
    "drop_index": (1, Effect.CHANGES_COLUMNS),
    "create_index": (1, Effect.BUILDS_INDEX),
    "create_primary_key": (1, Effect.BUILDS_INDEX),
    "create_unique_constraint": (1, Effect.BUILDS_INDEX),
    "create_foreign_key": (1, Effect.BUILDS_INDEX),
    "create_check_constraint": (1, Effect.BUILDS_INDEX),
    "alter_column": (0, Effect.REWRITES),
    "batch_alter_table": (0, Effect.REWRITES),
    "rename_table": (0, Effect.CHANGES_COLUMNS),
    "drop_table": (0, Effect.CHANGES_COLUMNS),
}
"""For each alembic operation: the index of its table argument, and its effect."""
_WRITTEN = re.compile(r"\b(?:UPDATE|INSERT INTO|DELETE FROM|ALTER TABLE|DROP TABLE)\s+\"?(\w+)")
"""Matches SQL statements that write to a table. Keywords are in capitals, unlike words in prose."""


def read_effects(file: Path, tables: frozenset[str]) -> dict[str, Effect]:
    """Return the costliest effect of the migration in the file on each of these tables that it changes."""
    tree = ast.parse(file.read_text("utf-8"))
    body = [part for part in tree.body if not (isinstance(part, ast.FunctionDef) and part.name == "downgrade")]
    effects: dict[str, Effect] = {}
    for table, effect in (found for part in body for found in _effects(part)):
        if table in tables:
            effects[table] = max(effect, effects.get(table, effect))
    return effects


def _effects(part: ast.stmt) -> Iterator[tuple[str, Effect]]:
    for node in ast.walk(part):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name("op"), attr=name), args=arguments) if name in _OPERATIONS:
                place, effect = _OPERATIONS[name]
                if len(arguments) > place and isinstance(table := arguments[place], ast.Constant):
                    yield str(table.value), effect
            case ast.Constant(str() as sql):
                yield from ((table, Effect.REWRITES) for table in _WRITTEN.findall(sql))
