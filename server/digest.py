"""Digests of the boards of a day: written to the log when the day closes, and found again from its games alone.

A board's digest is the SHA-256 of its text, in UTF-8: its name on the first line, then a line for every place in order,
each line ended by a line feed and its parts one space apart: `rank player score moves milliseconds`, on the board of a
deal `game result` besides, else `runs`.
"""

from collections.abc import Iterable
from hashlib import sha256
from itertools import groupby

from server.places import Place, add_up, deal_of, is_of_day, places
from server.projections import EntryRow


def digests(entries: Iterable[EntryRow]) -> dict[str, str]:
    """From all the finished ranked runs of one day: the digest, in hex, of each of its boards that holds any place.

    >>> ann = EntryRow("g1", "2026-11-20.1", "2026-11-20", 1, "olga", "ann", "won", 104, 1250, 98, 61000, 60000, 0)
    >>> for board, digest in digests([ann]).items():
    ...     print(board, digest[:8])
    day:2026-11-20 3a058413
    deal:2026-11-20.1 bfc5d0a9
    """
    runs = {(entry.deal, entry.player): entry for entry in entries}
    counted = add_up(place for entry in runs.values() for place in places(entry) if is_of_day(place.board))
    return {
        board: sha256(_text(board, sorted(on_board, key=_order), runs).encode()).hexdigest()
        for board, on_board in groupby(counted, key=lambda place: place.board)
    }


def _text(board: str, ordered: list[Place], runs: dict[tuple[str, str], EntryRow]) -> str:
    lines = [board]
    rank = 0
    for number, place in enumerate(ordered, 1):
        if number == 1 or place.standing != ordered[number - 2].standing:
            rank = number
        last: object = place.runs
        if deal := deal_of(board):
            run = runs[deal, place.player]
            last = f"{run.game_id} {run.result}"
        lines.append(f"{rank} {place.player} {-place.deficit} {place.moves} {place.milliseconds} {last}")
    return "".join(f"{line}\n" for line in lines)


def _order(place: Place) -> tuple[int, int, int, str]:
    return *place.standing, place.player
