"""A day's results as text to send to others: how far one came and how fast, and nothing of where any card lies."""

from collections.abc import Sequence
from typing import NamedTuple

from server.games.scoring import WHOLE, WIN

STEPS = 10
"""How many signs a bar has."""
_WORDS = {"won": "won", "lost": "stuck", "resigned": "gave up"}


class Result(NamedTuple):
    """A finished ranked run of a deal of the day."""

    result: str
    points: int
    moves: int
    milliseconds: int


class Line(NamedTuple):
    """One deal of the day's card, and one's result; None where there is none."""

    level: str
    game: str
    result: Result | None


def text(day: str, lines: Sequence[Line], streak: int) -> str:
    """The results of a day.

    >>> print(text("2026-11-20", [Line("gentle", "Louis", Result("lost", 640, 71, 185_000))], 3))
    Cadogan 2026-11-20
    ▰▰▰▰▰▰▱▱▱▱ gentle, Louis: stuck at 64 %, 71 moves, 3:05
    640 points, 3 days in a row
    """
    points = sum(line.result.points for line in lines if line.result)
    worth = f"{points:,} points" + (f", {streak} days in a row" if streak > 1 else "")
    return "\n".join([f"Cadogan {day}", *(_line(line) for line in lines), worth])


def _line(line: Line) -> str:
    run = line.result
    if run is None:
        return f"{'▱' * STEPS} {line.level}, {line.game}: not played"
    way = run.points - (WIN if run.result == "won" else 0)
    full = min(STEPS, way * STEPS // WHOLE)
    how = _WORDS[run.result] + ("" if run.result == "won" else f" at {way * 100 // WHOLE} %")
    moves = f"{run.moves} move{'' if run.moves == 1 else 's'}"
    return f"{'▰' * full}{'▱' * (STEPS - full)} {line.level}, {line.game}: {how}, {moves}, {_time(run.milliseconds)}"


def _time(milliseconds: int) -> str:
    minutes, seconds = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
