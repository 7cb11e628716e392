"""The rows of an answer as a table for spreadsheets (CSV)."""

import csv
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""What a cell begins with that a spreadsheet would compute."""

_TEXTS = frozenset({"player", "team", "holder", "game", "name"})
"""The columns with names and ids, which are those of a file that a stranger may have written."""


def write_table(answer: Mapping[str, Any], names: Mapping[str, str] | None = None) -> str:
    """Return the rows of standings, divisions, a rating table or shields; empty if the answer has none.

    The columns are those of the rows, in their order; a standing has its `field` before them. With `names`, by id, the
    last column is the name of the player. A name or an id that a spreadsheet would take for a formula has an apostrophe
    before it.
    A list, such as the sheet of an arena, is written with spaces between its parts.
    """
    rows = [{"field": one["field"], **row} for one in answer.get("standings", ()) for row in one["rows"]]
    rows = rows or [{"division": one["division"], **row} for one in answer.get("divisions", ()) for row in one["rows"]]
    rows = rows or [*(answer.get("table") or answer.get("shields") or ())]
    return _write(rows, "player", names)


def write_team_table(answer: Mapping[str, Any], names: Mapping[str, str] | None = None) -> str:
    """Return the standing of the teams in an answer; empty without any. `names` are those of the teams, by id."""
    return _write([*answer.get("teams", ())], "team", names)


def _write(rows: Sequence[Mapping[str, Any]], key: str, names: Mapping[str, str] | None) -> str:
    if not rows:
        return ""
    if names is not None:
        rows = [{**row, "name": names[row[key]]} for row in rows]
    rows = [{name: _as_text(one) if name in _TEXTS else _as_cell(one) for name, one in row.items()} for row in rows]
    written = StringIO()
    table = csv.DictWriter(written, list(rows[0]), lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return written.getvalue()


def _as_cell(value: Any) -> Any:
    """Return a list with spaces between its parts, and anything else as it is.

    >>> _as_cell([2, 2, 4])
    '2 2 4'
    """
    return " ".join(map(str, value)) if isinstance(value, list) else value


def _as_text(name: str | None) -> str | None:
    """Return a name or an id as a cell that every spreadsheet takes for text.

    >>> _as_text("=1+1")
    "'=1+1"
    """
    return f"'{name}" if name is not None and name.startswith(_FORMULAS) else name
