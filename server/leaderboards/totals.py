"""Totals: the sum of each player on each board, and what one finished run adds to it.

A run counts on the board of its deal, and on five boards of points: of its day, week, month and game, and of all time.
A total on the board of a deal is one run; on a board of points it is the sum of a player's runs. The database table
`totals` stores them.
"""

from collections.abc import Iterable
from operator import add, neg, sub
from typing import NamedTuple

from cadogan.server.eventlog.projections import EntryRow
from cadogan.server.leaderboards.names import board_for, deal_board, point_boards
from cadogan.server.leaderboards.ranking import RankKey


class BoardTotal(NamedTuple):
    """A player's total on a board after `runs` runs, or what one run adds to it.

    `board` is the board's name and `player` the player's id. `deficit`, `moves` and `milliseconds` are the fields of
    `RankKey`. The fields are the columns of the table `totals`; from the third on they are sums (`SUMS`).
    """

    board: str
    player: str
    deficit: int
    moves: int
    milliseconds: int
    runs: int

    @property
    def rank_key(self) -> RankKey:
        """The key that orders the totals of one board."""
        return RankKey(self.deficit, self.moves, self.milliseconds)

    def plus(self, added: "BoardTotal") -> "BoardTotal":
        """Return the total after `added` was added to it."""
        return BoardTotal(*self[:2], *map(add, self[2:], added[2:]))

    def minus(self, added: "BoardTotal") -> "BoardTotal":
        """Return the total as it was before `added` was added to it."""
        return BoardTotal(*self[:2], *map(sub, self[2:], added[2:]))


SUMS = BoardTotal._fields[2:]
"""The fields of a total that a run adds to."""


def run_totals(entry: EntryRow) -> list[BoardTotal]:
    """Return what a finished ranked run adds to each of the six boards on which it counts."""
    values = [(deal_board(entry.deal), entry.score)]
    values += [(board, entry.points) for board in point_boards(entry.day, entry.rules)]
    return [
        BoardTotal(board_for(entry.player, board), entry.player, -value, entry.moves, entry.milliseconds, 1)
        for board, value in values
    ]


def negative(total: BoardTotal) -> BoardTotal:
    """Return the negated total: adding it subtracts this one."""
    return BoardTotal(*total[:2], *map(neg, total[2:]))


def sum_totals(added: Iterable[BoardTotal]) -> list[BoardTotal]:
    """Return one total for each board and player, sorted by board and player.

    Every writer writes totals in this order, so that two transactions cannot deadlock.
    """
    sums: dict[tuple[str, str], BoardTotal] = {}
    for total in added:
        before = sums.get(total[:2])
        sums[total[:2]] = total if before is None else before.plus(total)
    return [sums[key] for key in sorted(sums)]
