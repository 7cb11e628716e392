"""The answer to any of the documented forms, and its rows as a table for spreadsheets (CSV)."""

import csv
from collections.abc import Mapping
from io import StringIO
from typing import Any

from msgspec import Struct

from cadogan.server.core.scoring.forms import Evening, InvalidForm, Ratings, Season, Shields, Virtual, read_form
from cadogan.server.core.scoring.ratings import rate
from cadogan.server.core.scoring.seasons import score_season
from cadogan.server.core.scoring.shields import award_shields
from cadogan.server.core.scoring.standing import score_evening
from cadogan.server.core.scoring.virtual import score_virtual

__all__ = ["InvalidForm", "answer_form", "score", "write_table"]


def score(text: bytes) -> dict[str, Any]:
    """Return the answer to the JSON of an evening, ratings, a season, a virtual run or shields. Raises InvalidForm."""
    return answer_form(read_form(text))


def answer_form(form: Struct) -> dict[str, Any]:
    """Return the answer to a form that was read."""
    match form:
        case Evening():
            return score_evening(form)
        case Ratings():
            return rate(form)
        case Season():
            return score_season(form)
        case Virtual():
            return score_virtual(form)
        case Shields():
            return award_shields(form)
    raise InvalidForm(f"nothing scores a {type(form).__name__}")


_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""What a cell begins with that a spreadsheet would compute."""


def write_table(answer: Mapping[str, Any], names: Mapping[str, str] | None = None) -> str:
    """Return the rows of standings, divisions, a rating table or shields; empty if the answer has none.

    The columns are those of the rows, in their order; a standing has its `field` before them. With `names`, by id, the
    last column is the name of the player; one that a spreadsheet would take for a formula has an apostrophe before it.
    """
    rows = [{"field": one["field"], **row} for one in answer.get("standings", ()) for row in one["rows"]]
    rows = rows or [{"division": one["division"], **row} for one in answer.get("divisions", ()) for row in one["rows"]]
    rows = rows or [*(answer.get("table") or answer.get("shields") or ())]
    if not rows:
        return ""
    if names is not None:
        rows = [{**row, "name": _as_text(names[row["player"]])} for row in rows]
    written = StringIO()
    table = csv.DictWriter(written, list(rows[0]), lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return written.getvalue()


def _as_text(name: str) -> str:
    """Return a name as a cell that every spreadsheet takes for text.

    >>> _as_text("=1+1")
    "'=1+1"
    """
    return f"'{name}" if name.startswith(_FORMULAS) else name
