"""Places: where a player stands on a board, and which boards a run counts on.

A deal's board ranks its runs by score, moves and time; every other board ranks players by the points of their runs,
then by the moves and the time of them together. Fewer moves are better, and less time. People and bots have boards of
their own: every board's name with `bots:` before it is the bots'.

>>> boards_of("2026-11-20", "klondike")
('day:2026-11-20', 'week:2026-W47', 'month:2026-11', 'all', 'game:klondike')
"""

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from server.core import ids
from server.eventlog.projections import EntryRow

BOTS = "bots:"


class Standing(NamedTuple):
    """What places are ordered by, the smaller the better; `deficit` is the score, or the sum of points, below zero."""

    deficit: int
    moves: int
    milliseconds: int


class Place(NamedTuple):
    """What a player has on a board after so many runs, or what one run adds to it."""

    board: str
    player: str
    deficit: int
    moves: int
    milliseconds: int
    runs: int

    @property
    def standing(self) -> Standing:
        """What it is ordered by."""
        return Standing(self.deficit, self.moves, self.milliseconds)

    def plus(self, added: "Place") -> "Place":
        """The place with this added to it."""
        return self._combined(added, 1)

    def minus(self, added: "Place") -> "Place":
        """The place as it was before this was added to it."""
        return self._combined(added, -1)

    def _combined(self, added: "Place", sign: int) -> "Place":
        return Place(
            self.board,
            self.player,
            self.deficit + sign * added.deficit,
            self.moves + sign * added.moves,
            self.milliseconds + sign * added.milliseconds,
            self.runs + sign * added.runs,
        )


def boards_of(day: str, rules: str) -> tuple[str, ...]:
    """The boards of points on which a run of such a day and game counts."""
    year, week, _ = date.fromisoformat(day).isocalendar()
    return f"day:{day}", f"week:{year}-W{week:02}", f"month:{day[:7]}", "all", f"game:{rules}"


def deal_board(deal: str) -> str:
    """The board of one deal of a day."""
    return f"deal:{deal}"


def deal_of(board: str) -> str:
    """The deal whose board it is, of people or bots; empty for a board of points."""
    kind, _, deal = board.removeprefix(BOTS).partition(":")
    return deal if kind == "deal" else ""


def places(entry: EntryRow) -> list[Place]:
    """What a run adds to every board that it counts on."""
    whose = BOTS if ids.is_bot(entry.player) else ""
    counted = [(deal_board(entry.deal), entry.score)]
    counted += [(board, entry.points) for board in boards_of(entry.day, entry.rules)]
    return [Place(whose + board, entry.player, -worth, entry.moves, entry.milliseconds, 1) for board, worth in counted]


def add_up(added: Iterable[Place]) -> list[Place]:
    """One place for each board and player, in the order in which every writer is to write them."""
    sums: dict[tuple[str, str], Place] = {}
    for place in added:
        before = sums.get(place[:2])
        sums[place[:2]] = place if before is None else before.plus(place)
    return [sums[key] for key in sorted(sums)]
