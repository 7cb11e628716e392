"""A day's results as a text to send to others: how far somebody came and how fast. It tells nothing of any card."""

from collections.abc import Sequence
from typing import NamedTuple

from server.games.scoring import FULL_POINTS, WIN_BONUS

BAR_LENGTH = 10
"""How many characters the bar of a deal has."""
_WORDS = {"won": "won", "lost": "stuck", "resigned": "gave up"}


class RunResult(NamedTuple):
    """How a ranked run of a deal of the day ended. `result` is won, lost or resigned."""

    result: str
    points: int
    moves: int
    milliseconds: int


class DealLine(NamedTuple):
    """One deal of the day: its level, the name of its game, and the player's result; None if there is none."""

    level: str
    game: str
    result: RunResult | None


def make_share_text(day: str, lines: Sequence[DealLine], streak: int) -> str:
    """Return the text for the results of a day. `streak` is how many days in a row the player has played.

    >>> print(make_share_text("2026-11-20", [DealLine("gentle", "Louis", RunResult("lost", 640, 71, 185_000))], 3))
    Cadogan 2026-11-20
    ▰▰▰▰▰▰▱▱▱▱ gentle, Louis: stuck at 64 %, 71 moves, 3:05
    640 points, 3 days in a row
    """
    points = sum(line.result.points for line in lines if line.result)
    worth = f"{points:,} points" + (f", {streak} days in a row" if streak > 1 else "")
    return "\n".join([f"Cadogan {day}", *(_line(line) for line in lines), worth])


def _line(line: DealLine) -> str:
    run = line.result
    if run is None:
        return f"{'▱' * BAR_LENGTH} {line.level}, {line.game}: not played"
    way = run.points - (WIN_BONUS if run.result == "won" else 0)
    full = min(BAR_LENGTH, way * BAR_LENGTH // FULL_POINTS)
    how = _WORDS[run.result] + ("" if run.result == "won" else f" at {way * 100 // FULL_POINTS} %")
    moves = f"{run.moves} move{'' if run.moves == 1 else 's'}"
    return (
        f"{'▰' * full}{'▱' * (BAR_LENGTH - full)} {line.level}, {line.game}: {how}, {moves}, {_time(run.milliseconds)}"
    )


def _time(milliseconds: int) -> str:
    minutes, seconds = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
