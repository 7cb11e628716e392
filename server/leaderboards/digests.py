"""The digests of a day's boards: what goes into the log at its close, and what anyone derives again from its records.

A board's digest is the SHA-256, in hex, of a line for every place, each ended by a newline, its parts one space apart:
the board's name, the rank, the player, the score or points, the moves and the milliseconds; on the board of a deal the
game and its result besides, else the number of runs. The lines are in the order of the board, equals in that of their
ids; people's come first, then those of the bots' board.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256

from server.eventlog.projections import EntryRow
from server.leaderboards.ranking import BOTS, Place, add_up, deal_board, deal_of, places

Runs = dict[tuple[str, str], EntryRow]
"""Each run by its deal and player."""


def of_day(day: str, deals: Sequence[str], runs: Iterable[EntryRow]) -> dict[str, str]:
    """The digests of the boards of a day's deals, by the deals' names, and of the day's own under `day`.

    >>> ann = EntryRow("g1", "2026-11-20.1", "2026-11-20", 1, "olga", "ann", "won", 104, 1250, 98, 61000, 60000, 0)
    >>> for name, digest in of_day("2026-11-20", ["2026-11-20.1"], [ann]).items():
    ...     print(name, digest[:8])
    2026-11-20.1 553198f9
    day 9776bd90
    """
    by_key = {(run.deal, run.player): run for run in runs}
    everything = add_up(place for run in by_key.values() for place in places(run))
    boards = {deal: deal_board(deal) for deal in deals} | {"day": f"day:{day}"}
    return {name: _digest(board, everything, by_key) for name, board in boards.items()}


def _digest(board: str, everything: Sequence[Place], runs: Runs) -> str:
    lines = [line for name in (board, BOTS + board) for line in _lines(name, everything, runs)]
    return sha256("".join(lines).encode()).hexdigest()


def _lines(board: str, everything: Sequence[Place], runs: Runs) -> Iterator[str]:
    ordered = sorted((place for place in everything if place.board == board), key=_order)
    rank = 0
    for number, place in enumerate(ordered):
        if number == 0 or place.standing != ordered[number - 1].standing:
            rank = number + 1
        run = runs.get((deal_of(board), place.player))
        last = place.runs if run is None else f"{run.game_id} {run.result}"
        yield f"{board} {rank} {place.player} {-place.deficit} {place.moves} {place.milliseconds} {last}\n"


def _order(place: Place) -> tuple[int, int, int, str]:
    return *place.standing, place.player
