"""The digests of a day's boards: what goes into the log at its close, and what anyone derives again from its records.

A digest is SHA-256, in hex, over one line a place, in the order of the board, each ended by a newline: the board, the
player, the score or points, the moves, the milliseconds and the runs, with a blank between them. People's places come
before those of bots. Players who are equal stand in the order of their ids.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256

from sqlalchemy import select

from server.db import Database
from server.models import entries
from server.places import BOTS, Place, add_up, deal_board, places
from server.projections import EntryRow


def of_board(board: str, ordered: Iterable[Place]) -> str:
    """The digest of a board, its people's places and its bots'."""
    mine = [place for place in ordered if place.board in (board, BOTS + board)]
    mine.sort(key=lambda place: (place.board != board, place.standing, place.player))
    lines = [
        f"{place.board} {place.player} {-place.deficit} {place.moves} {place.milliseconds} {place.runs}\n"
        for place in mine
    ]
    return sha256("".join(lines).encode()).hexdigest()


def of_day(day: str, deals: Sequence[str], runs: Iterable[EntryRow]) -> dict[str, str]:
    """The digests of the boards of a day's deals, by the deals' names, and of the day's own."""
    everything = add_up(place for run in runs for place in places(run))
    return {deal: of_board(deal_board(deal), everything) for deal in deals} | {
        "day": of_board(f"day:{day}", everything)
    }


class Digests:
    """The digests of the boards of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_day(self, day: str, deals: Sequence[str]) -> dict[str, str]:
        """The digests of a day's boards as they stand."""
        async with self._database.reading() as connection:
            rows = await connection.execute(select(entries).where(entries.c.day == day))
            return of_day(day, deals, [EntryRow(**row) for row in rows.mappings()])
