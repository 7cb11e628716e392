"""The names of boards: their format, which are valid, and the deal of a board.

People and bots have separate boards: the name of a bots' board is that of the people's board after `bots:`.

>>> point_boards("2026-11-20", "klondike")
('day:2026-11-20', 'week:2026-W47', 'month:2026-11', 'all', 'game:klondike')
"""

import re
from datetime import date

from cadogan.engine import slugs
from cadogan.server.core import dates, ids
from cadogan.server.core.errors import NotFound

BOTS_PREFIX = "bots:"


def deal_board(deal: str) -> str:
    """Return the name of the board of one deal of a day.

    >>> deal_board("2026-11-20.1")
    'deal:2026-11-20.1'
    """
    return f"deal:{deal}"


def day_board(day: str) -> str:
    """Return the name of the board of points of one day, written as ``2026-11-20``."""
    return f"day:{day}"


def week_board(day: str) -> str:
    """Return the name of the board of points of the week of a day; weeks are those of ISO 8601, from Monday to Sunday.

    >>> week_board("2026-11-20")
    'week:2026-W47'
    """
    year, week, _ = date.fromisoformat(day).isocalendar()
    return f"week:{year}-W{week:02}"


def point_boards(day: str, game: str) -> tuple[str, ...]:
    """Return the names of the boards of points on which a run counts that plays this game on a deal of this day.

    `day` is written as ``2026-11-20``, `game` is the game's slug.
    """
    return day_board(day), week_board(day), f"month:{day[:7]}", "all", f"game:{game}"


def board_for(player: str, board: str) -> str:
    """Return the name of the board that this player is listed on: the bots' board for a bot."""
    return BOTS_PREFIX + board if ids.is_bot(player) else board


def deal_of(board: str) -> str:
    """Return the id of the deal that a people's or bots' board is about; empty for a board of points.

    >>> deal_of("bots:deal:2026-11-20.1"), deal_of("all")
    ('2026-11-20.1', '')
    """
    kind, _, deal = board.removeprefix(BOTS_PREFIX).partition(":")
    return deal if kind == "deal" else ""


def check_board(board: str) -> str:
    """Return the board's name if it is valid, even if the board is empty.

    >>> check_board("bots:week:2026-W47")
    'bots:week:2026-W47'

    Raises NotFound.
    """
    kind, _, subject = board.removeprefix(BOTS_PREFIX).partition(":")
    match kind:
        case "all":
            exists = not subject and not board.endswith(":")
        case "day":
            exists = dates.is_valid(subject)
        case "deal":
            day, _, slot = subject.partition(".")
            exists = dates.is_valid(day) and re.fullmatch("[1-9][0-9]?", slot) is not None
        case "week":
            exists = re.fullmatch("[0-9]{4}-W[0-9]{2}", subject) is not None and _is_week(subject)
        case "month":
            exists = re.fullmatch("[0-9]{4}-[0-9]{2}", subject) is not None and dates.is_valid(f"{subject}-01")
        case "game":
            exists = subject in slugs()
        case _:
            exists = False
    if not exists:
        raise NotFound("There is no such board.")
    return board


def _is_week(week: str) -> bool:
    try:
        date.fromisocalendar(int(week[:4]), int(week[6:]), 1)
    except ValueError:
        return False
    return True
