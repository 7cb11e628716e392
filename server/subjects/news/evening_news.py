"""What is told of the evenings for everybody: that one has begun, and its final standing."""

from collections.abc import Collection
from typing import Protocol

from cadogan.server.core.clock import Clock
from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from cadogan.server.subjects.evenings.evening_state import EveningState
from cadogan.server.subjects.evenings.evenings import Evenings
from cadogan.server.subjects.evenings.views import EveningViews
from cadogan.server.subjects.news.items import Item, Place
from cadogan.wire.evening_standings import EveningStanding

LONGEST_MILLISECONDS = 8 * MILLISECONDS_PER_DAY
"""An evening is final at the latest so long after its beginning, its rounds and all objections included."""
TOP = 10
"""Places of a standing that are told."""
MAX_CACHED = 1_000


class EveningSources(Protocol):
    """What the news of evenings are found in; a server builds it later than the news."""

    now: Clock
    evenings: Evenings
    evening_views: EveningViews


class EveningNews:
    """The news of evenings at one node."""

    def __init__(self, sources: EveningSources) -> None:
        self._sources = sources
        self._places: dict[str, tuple[int, tuple[Place, ...]]] = {}
        """The first places of final evenings, each with the version of the evening."""

    async def read(self, since: int, told: Collection[str]) -> list[Item]:
        """Return what has happened since a moment, without the items with these ids."""
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
    """Return what stands after a figure of the standing of an evening."""
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
