"""The answer to any of the documented forms."""

from typing import Any

from msgspec import Struct

from cadogan.server.core.scoring.forms import Evening, InvalidForm, Ratings, Season, Shields, Virtual, read_form
from cadogan.server.core.scoring.ratings import rate
from cadogan.server.core.scoring.seasons import score_season
from cadogan.server.core.scoring.shields import award_shields
from cadogan.server.core.scoring.standing import score_evening
from cadogan.server.core.scoring.virtual import score_virtual

__all__ = ["InvalidForm", "answer_form", "score"]


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
