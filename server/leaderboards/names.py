"""The names of boards that there may be."""

import re
from datetime import date

from engine import slugs
from server.core import dates
from server.core.errors import NotFound
from server.leaderboards.ranking import BOTS


def named(board: str) -> str:
    """The board's name, if there may be such a board.

    >>> named("bots:week:2026-W47")
    'bots:week:2026-W47'

    Raises NotFound.
    """
    kind, _, of = board.removeprefix(BOTS).partition(":")
    match kind:
        case "all":
            known = not of and not board.endswith(":")
        case "day":
            known = dates.readable(of)
        case "deal":
            day, _, slot = of.partition(".")
            known = dates.readable(day) and re.fullmatch("[1-9][0-9]?", slot) is not None
        case "week":
            known = re.fullmatch("[0-9]{4}-W[0-9]{2}", of) is not None and _is_week(of)
        case "month":
            known = re.fullmatch("[0-9]{4}-[0-9]{2}", of) is not None and dates.readable(f"{of}-01")
        case "game":
            known = of in slugs()
        case _:
            known = False
    if not known:
        raise NotFound("There is no such board.")
    return board


def _is_week(week: str) -> bool:
    try:
        date.fromisocalendar(int(week[:4]), int(week[6:]), 1)
    except ValueError:
        return False
    return True
