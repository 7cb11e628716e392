"""Rating evenings in the background: the first node to do so writes missing or changed ratings in one append.

The ratings are computed from the log: the final evenings in their order, without struck runs. They are compared with
the stored ones. So a node that is killed leaves nothing half done, two nodes write nothing twice, and a struck run has
its evening, and all that follow, rated again.
"""

import asyncio
from collections.abc import Iterator, Sequence

from msgspec import convert
from msgspec.structs import asdict

from cadogan.server.core.clock import Clock
from cadogan.server.core.clock_check import ClockCheck
from cadogan.server.core.database.connections import Database
from cadogan.server.core.eventlog.rating_events import EveningRated, RatedPlayer, RatingKey, project_ratings
from cadogan.server.core.eventlog.streams import RATINGS
from cadogan.server.core.scoring.forms import Contest, Placed
from cadogan.server.core.scoring.ratings import ALL, VERSION, ListKey, Lists, Rated, rate_again
from cadogan.server.core.storage import rating_rows
from cadogan.server.core.storage.sql_store import append_at
from cadogan.server.subjects.ratings.final_evenings import FinalEvening, FinalEvenings

PAUSE_SECONDS = 15.0
"""Seconds after which it is looked again whether an evening is to be rated."""
CHANGES_PER_EVENT = 1_000


class Rater:
    """Rates the evenings of a database, at one node."""

    def __init__(self, database: Database, finals: FinalEvenings, clocks: ClockCheck, now: Clock) -> None:
        self._database = database
        self._finals = finals
        self._clocks = clocks
        self._now = now
        self._rated: list[FinalEvening] = []
        self._contests: dict[FinalEvening, Contest] = {}

    async def run_due(self) -> float | None:
        """Rate new final evenings, and rate evenings again after a run was struck or returned."""
        if await self._clocks.agree():
            final = await self._finals.read()
            if final != self._rated and await self._rate(final):
                self._rated = final
        return PAUSE_SECONDS

    async def _rate(self, final: Sequence[FinalEvening]) -> bool:
        """Write the missing ratings; return False if another node has written first."""
        async with self._database.reading() as connection:
            told = await rating_rows.read_stream(connection, RATINGS)
        written = [event for event, _ in told if isinstance(event, EveningRated)]
        lists = read_lists(written)
        known = {event.evening: event for event in written}
        for one in final:
            if one not in self._contests:
                event = known.get(one.id)
                is_same = event is not None and event.struck == one.struck
                self._contests[one] = _contest_of(one, lists) if is_same else await self._finals.contest(one)
        contests = [self._contests[one] for one in final]
        found = await asyncio.to_thread(lambda: [*rate_again(contests, lists, {})])
        struck = {one.id: one.struck for one in final}
        return not found or await self._write(
            len(told), [event for rated in found for event in make_events(rated, struck[rated.key.contest])]
        )

    async def _write(self, version: int, found: Sequence[EveningRated]) -> bool:
        """Append to the stream if it has this version."""
        async with self._database.writing() as connection:
            is_written = await append_at(connection, RATINGS, version, found, self._now())
            if is_written:
                await rating_rows.replace(connection, project_ratings(found))
        return is_written


def read_lists(written: Sequence[EveningRated]) -> Lists:
    """Return the lists that these events have written last."""
    lists: Lists = {}
    for event in written:
        key = ListKey(event.evening, event.pool, event.kind)
        changes = [
            {name: value for name, value in asdict(change).items() if value is not None} for change in event.changes
        ]
        lists[key] = changes if event.part in (None, 1) else lists[key] + changes
    return lists


def make_events(rated: Rated, struck: tuple[str, ...]) -> Iterator[EveningRated]:
    """Return the events that write a list, one for every `CHANGES_PER_EVENT` of its changes."""
    key = rated.key
    changes = convert(rated.changes, tuple[RatedPlayer, ...])
    starts = range(0, max(1, len(changes)), CHANGES_PER_EVENT)
    for part, start in enumerate(starts, 1):
        some = changes[start : start + CHANGES_PER_EVENT]
        number = part if len(starts) > 1 else None
        yield EveningRated(VERSION, key.contest, key.pool, key.kind, rated.cause, some, struck, number)


def _contest_of(evening: FinalEvening, lists: Lists) -> Contest:
    """Return an evening as it was rated."""
    own: dict[RatingKey, list[Placed]] = {
        key: [Placed(one["player"], one["place"], key.kind, one.get("share")) for one in changes]  # type: ignore[arg-type]
        for key, changes in lists.items()
        if key.contest == evening.id and changes
    }
    family = next((pool for _, pool, _ in own if pool != ALL), None)
    places = [placed for (_, pool, _), some in own.items() if pool == ALL for placed in some]
    return Contest(evening.id, evening.at, places, family)
