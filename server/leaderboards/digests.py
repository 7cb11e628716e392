"""The digests of a day's boards: written into the log when the day closes, and computed again from exported records.

A board's digest is the SHA-256, in hex, of a text with one line for each player on it, the line ended by a newline, its
parts separated by one space: the name of the board, the rank, the player's id, the score or points, the moves, the
milliseconds; then on the board of a deal the game's id and its result, on the board of a day the number of runs. The
lines are in the order of `ranking.RankKey`, equal keys in the order of the players' ids. The lines of the people's
board come first, then those of the bots' board. `docs/boards.md` publishes this format.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple

from cadogan.server.eventlog.projections import EntryRow
from cadogan.server.leaderboards.names import BOTS_PREFIX, day_board, deal_board, deal_of
from cadogan.server.leaderboards.ranking import RankKey, ranks
from cadogan.server.leaderboards.totals import BoardTotal, run_totals, sum_totals

RunsByKey = dict[tuple[str, str], EntryRow]
"""Each run by the ids of its deal and its player."""


class DayDigests(NamedTuple):
    """The digests of a day's boards, and the struck runs of the day, which no digest counts, with their reasons.

    `boards` has the digests by deal id, `day` that of the whole day.
    """

    boards: dict[str, str]
    disqualified: dict[str, str]


def day_digests(day: str, deals: Sequence[str], runs: Iterable[EntryRow]) -> dict[str, str]:
    """Return the digests of a day's boards: by deal id, and under the key `day` for the whole day.

    `runs` are all finished ranked runs of the day that are not struck, in any order.

    >>> ann = EntryRow("g1", "2026-11-20.1", "2026-11-20", 1, "olga", "ann", "won", 104, 1250, 98, 61000, 60000, 0)
    >>> for name, digest in day_digests("2026-11-20", ["2026-11-20.1"], [ann]).items():
    ...     print(name, digest[:8])
    2026-11-20.1 553198f9
    day 9776bd90
    """
    by_key = {(run.deal, run.player): run for run in runs}
    totals = sum_totals(total for run in by_key.values() for total in run_totals(run))
    boards = {deal: deal_board(deal) for deal in deals} | {"day": day_board(day)}
    return {name: _digest(board, totals, by_key) for name, board in boards.items()}


def _digest(board: str, totals: Sequence[BoardTotal], runs: RunsByKey) -> str:
    lines = [line for name in (board, BOTS_PREFIX + board) for line in _lines(name, totals, runs)]
    return sha256("".join(lines).encode()).hexdigest()


def _lines(board: str, totals: Sequence[BoardTotal], runs: RunsByKey) -> Iterator[str]:
    on_board = sorted((total for total in totals if total.board == board), key=_rank_key_then_player)
    for rank, total in zip(ranks([total.rank_key for total in on_board]), on_board, strict=True):
        run = runs.get((deal_of(board), total.player))
        last = total.runs if run is None else f"{run.game_id} {run.result}"
        yield f"{board} {rank} {total.player} {-total.deficit} {total.moves} {total.milliseconds} {last}\n"


def _rank_key_then_player(total: BoardTotal) -> tuple[RankKey, str]:
    return total.rank_key, total.player
