"""A day's results as a text to share, and the streaks in it."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cadogan.server.core import dates
from cadogan.server.core.games.position import FULL_POINTS, WIN_BONUS
from cadogan.server.core.words import ShareWords, words_in

BAR_LENGTH = 10
"""The length of a deal's progress bar in characters."""


class RunResult(NamedTuple):
    """How a ranked run of a deal of the day ended. `result` is won, lost or resigned."""

    result: str
    score: int
    points: int
    moves: int
    milliseconds: int


class DealLine(NamedTuple):
    """One deal of the day: its level, the name of its game and its highest score, and the player's result.

    `result` is None if there is none.
    """

    level: str
    game: str
    maximum: int
    result: RunResult | None


def make_share_text(day: str, lines: Sequence[DealLine], streak: int, language: str = "en") -> str:
    """Return the text for the results of a day. `streak` is how many days in a row the player has played.

    The text is in English if the language has no translation.

    >>> louis = DealLine("gentle", "Louis", 104, RunResult("lost", 67, 640, 71, 185_000))
    >>> print(make_share_text("2026-11-20", [louis], 3))
    Cadogan 2026-11-20
    ▰▰▰▰▰▰▱▱▱▱ 67 of 104 · Louis (easy): no more moves, 71 moves, 3:05
    640 points, 3 days in a row
    >>> print(make_share_text("2026-11-20", [louis], 0, "de"))
    Cadogan 2026-11-20
    ▰▰▰▰▰▰▱▱▱▱ 67 von 104 · Louis (leicht): kein Zug mehr, 71 Züge, 3:05
    640 Punkte
    """
    words = words_in(language).share
    points = sum(line.result.points for line in lines if line.result)
    worth = _counted(words.points, points, words)
    if streak > 1:
        worth += f", {words.streak.format(count=streak)}"
    return "\n".join([f"Cadogan {day}", *(_line(line, words) for line in lines), worth])


def _line(line: DealLine, words: ShareWords) -> str:
    run = line.result
    named = f"{line.game} ({words.levels.get(line.level, line.level)})"
    if run is None:
        return f"{'▱' * BAR_LENGTH} {named}: {words.not_played}"
    way = run.points - (WIN_BONUS if run.result == "won" else 0)
    full = min(BAR_LENGTH, way * BAR_LENGTH // FULL_POINTS)
    bar = f"{'▰' * full}{'▱' * (BAR_LENGTH - full)}"
    how = f"{words.ends[run.result]}, {_counted(words.moves, run.moves, words)}, {_time(run.milliseconds)}"
    return f"{bar} {words.score.format(score=run.score, maximum=line.maximum)} · {named}: {how}"


def _counted(forms: tuple[str, str], count: int, words: ShareWords) -> str:
    return forms[count != 1].format(count=f"{count:,}".replace(",", words.thousands))


def _time(milliseconds: int) -> str:
    minutes, seconds = divmod(milliseconds // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


class Streak(NamedTuple):
    """The length in days of the current streak (0 if the last one has ended), and of the longest one ever."""

    current: int
    longest: int


def count_streak(played: Iterable[str], today: str) -> Streak:
    """Return the streak of a player who has played on these days, in any order.

    A streak is current if its last day is today, or yesterday: today is not over yet.

    >>> count_streak(["2026-11-20", "2026-11-19", "2026-11-11"], "2026-11-21")
    Streak(current=2, longest=2)
    """
    current = longest = length = 0
    before = ""
    for day in sorted(set(played)):
        length = length + 1 if before and dates.add_days(before, 1) == day else 1
        longest = max(longest, length)
        before = day
    if before in (today, dates.add_days(today, -1)):
        current = length
    return Streak(current, longest)
