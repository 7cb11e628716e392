"""News of evenings: for everybody the start and the end of public evenings, and notifications for single players."""

from collections.abc import Collection, Sequence
from typing import Protocol

from cadogan.server.core.clock import Clock
from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from cadogan.server.subjects.evenings.evening_state import EveningState
from cadogan.server.subjects.evenings.evenings import Evenings
from cadogan.server.subjects.evenings.leading.series import MAX_DELAY_MILLISECONDS, EveningSeries
from cadogan.server.subjects.evenings.views import EveningViews
from cadogan.server.subjects.news.items import Item, Place
from cadogan.server.subjects.news.notifications.detect import EveningNotice
from cadogan.server.subjects.players.groups import Groups
from cadogan.wire.evening_standings import EveningStanding

LONGEST_MILLISECONDS = 8 * MILLISECONDS_PER_DAY
"""An evening is final at the latest so long after its beginning, its rounds and all objections included."""
TOP = 10
"""Places of a standing that are told."""
MAX_CACHED = 1_000
CALL_MILLISECONDS = 10 * 60_000
"""So long before an evening begins, and so long after its begin, its players are called."""
LATE_MILLISECONDS = 10 * 60_000
"""So long after the next evening of a series should have been announced it is told that it is late."""


class EveningSources(Protocol):
    """The sources of the news of evenings; a server builds them after the news."""

    now: Clock
    evenings: Evenings
    evening_views: EveningViews
    evening_series: EveningSeries
    groups: Groups


class EveningNews:
    """The news of evenings at one node."""

    def __init__(self, sources: EveningSources) -> None:
        self._sources = sources
        self._places: dict[str, tuple[int, tuple[Place, ...]]] = {}
        """The first places of final evenings, each with the version of the evening."""

    async def read(self, since: int, told: Collection[str]) -> list[Item]:
        """Return the news since a time, without the items with these ids."""
        found, views = list[Item](), self._sources.evening_views
        for row in await views.listed.begun_for_everybody(since - LONGEST_MILLISECONDS, self._sources.now()):
            ids = {f"{kind}/{row.id}" for kind in ("evening_started", "evening_ended")}
            if ids <= {*told}:
                continue
            state = await self._sources.evenings.get(row.id)
            opens_at = state.rounds[0].opens_at
            if opens_at >= since and state.opened:
                games = tuple(dict.fromkeys(one.game for one in state.rounds))
                found.append(Item("evening_started", row.id, opens_at, games, title=state.title))
            if state.finalised_at is not None and state.finalised_at >= since and state.voided is None:
                found.append(await self._ended(state, state.finalised_at))
        return [item for item in found if item.id not in told]

    async def notices(self) -> list[EveningNotice]:
        """Return the notifications for players.

        Their evening begins soon, they are challenged to a match, or a series that they or their group lead is delayed
        or has ended.
        """
        listed, now = self._sources.evening_views.listed, self._sources.now()
        found = []
        for row in await listed.beginning(now, now + CALL_MILLISECONDS):
            state = await self._sources.evenings.get(row.id)
            entrants = {one.player for one in state.entrants.values() if one.left_at is None}
            whom, until = entrants.union(await self._members(row.group)), state.rounds[0].opens_at + CALL_MILLISECONDS
            found.append(EveningNotice("evening_begins", row.id, _games(state), whom, until))
        for row in await listed.challenges(now):
            state = await self._sources.evenings.get(row.id)
            found.append(EveningNotice("challenged", row.id, _games(state), [row.opponent or ""], row.starts_at))
        for id in await listed.last_of_series(now - MAX_DELAY_MILLISECONDS):
            state = await self._sources.evenings.get(id)
            if await self._has_stopped(state):
                whom = {state.plan.leader, *(await self._members(state.plan.group))[:1]}
                until = state.rounds[-1].closes_at + MAX_DELAY_MILLISECONDS
                found.append(EveningNotice("series_stopped", id, _games(state), whom, until))
        return found

    async def _members(self, group: str | None) -> Sequence[str]:
        """Return the members of a group, its owner first; empty without a group."""
        return [] if group is None else await self._sources.groups.members_of(group)

    async def _has_stopped(self, state: EveningState) -> bool:
        """Return whether the series has stopped without a decision: a next evening is due, but does not exist."""
        shown = await self._sources.evening_series.show(state)
        if shown is None or shown.ended == "by_leader":
            return False
        is_late = state.rounds[0].opens_at + LATE_MILLISECONDS <= self._sources.now()
        return shown.ended == "no_leader" or (shown.is_delayed and is_late)

    async def names(self, evening: str) -> dict[str, str]:
        """Return the names under which people have played an evening, by player."""
        return await self._sources.evening_views.names_of(await self._sources.evenings.get(evening))

    async def places(self, state: EveningState) -> tuple[Place, ...]:
        """Return the first places of the standing of a final evening, as it is corrected now."""
        version, places = self._places.get(state.id, (0, ()))
        if version != state.version:
            standing = (await self._sources.evening_views.standing(state)).standing
            places = tuple(_arena_places(standing) if state.is_arena else _places(standing))
            if len(self._places) >= MAX_CACHED:
                self._places.clear()
            self._places[state.id] = state.version, places
        return places

    async def _ended(self, state: EveningState, at: int) -> Item:
        places, unit = await self.places(state), unit_of(state)
        return Item("evening_ended", state.id, at, places=places, title=state.title, unit=unit)


def unit_of(state: EveningState) -> str:
    """Return the unit of the figures in the standing of an evening."""
    return "" if state.is_arena or state.settings.scoring == "places" else " %"


def _places(standing: EveningStanding) -> list[Place]:
    """Return the first places of the first field; the figure of each is in hundredths."""
    fields = standing.fields if standing.corrected is None else standing.corrected
    rows = fields[0].rows[:TOP] if fields else []
    return [Place(row.place, row.player.id, int(row.shown.replace(".", ""))) for row in rows]


def _arena_places(standing: EveningStanding) -> list[Place]:
    fields = (standing.arena if standing.corrected_arena is None else standing.corrected_arena) or []
    rows = fields[0].rows[:TOP] if fields else []
    return [Place(row.place, row.player.id, row.points * 100) for row in rows]


def _games(state: EveningState) -> list[str]:
    return [one.game for one in state.rounds]
