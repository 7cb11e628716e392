"""The commands of players on races: open, join, leave, start, rematch.

Each command writes one event or none, decided by `race_state` and written by `repository`.
"""

from collections.abc import Collection, Sequence
from contextlib import suppress
from hmac import compare_digest

from cadogan.server.core import ids
from cadogan.server.core.clock import Clock
from cadogan.server.core.errors import CommandReused, Conflict, TooMany
from cadogan.server.core.event_loop import Batcher, OneAtATime
from cadogan.server.core.eventlog.race_events import PlayerJoined, RaceOpened
from cadogan.server.core.fairness.commit_reveal import check_nonce
from cadogan.server.core.fairness.sealed_deals import SealedDeal
from cadogan.server.core.games.game_index import GameIndex
from cadogan.server.core.people import Persons
from cadogan.server.subjects.races import race_state
from cadogan.server.subjects.races.race_state import RaceState
from cadogan.server.subjects.races.repository import RaceRepository
from cadogan.server.subjects.races.settlement import RaceSettlement
from cadogan.wire.races import NewRace

MAX_LISTED = 50
MAX_WAITING = 5
"""The maximum number of races that one person may have open and not started."""


class _PlayersChanged(Exception):
    """Another player has joined or left since the state was read."""


class RaceCommands:
    """The commands of players on races."""

    def __init__(
        self, repository: RaceRepository, settlement: RaceSettlement, index: GameIndex, persons: Persons, now: Clock
    ) -> None:
        self._repository = repository
        self._settlement = settlement
        self._index = index
        self._persons = persons
        self._now = now
        self._listed = Batcher(self._find_listed)
        self._one_at_a_time = OneAtATime()

    async def open(self, player: str, wanted: NewRace, invited: Sequence[str] = (), race_id: str = "") -> RaceState:
        """Open a race with the player in its first place, or return the one with this id.

        Its secret is stored before the nonces of other players are mixed in. Raises CommandReused if that race has
        other rules, and TooMany while `MAX_WAITING` other races of this person (owner and bots together) are not
        started. If they were opened on another node meanwhile, this one is left again.
        """
        check_nonce(wanted.nonce)
        race_id = race_id or ids.new_id()

        def opening(deal: SealedDeal) -> tuple[RaceOpened, PlayerJoined]:
            opened = RaceOpened(
                host=player,
                game=deal.game,
                deal=deal.id,
                commitment=deal.commitment,
                size=wanted.size,
                seconds=wanted.seconds,
                countdown=wanted.countdown,
                open=wanted.open,
                invited=tuple(one for one in invited if one != player),
            )
            return opened, PlayerJoined(player, wanted.nonce)

        async with self._one_at_a_time.of(await self._persons.person_of(player)):
            await self._require_room(player, race_id)
            race = await self._settlement.begin(race_id, opening, wanted.rules)
            try:
                await self._require_room(player, race_id)
            except TooMany:
                await self.leave(race_id, player)
                raise
        if race.opened.game != wanted.rules:
            raise CommandReused("This Idempotency-Key has been used for another request.")
        return race

    async def _require_room(self, player: str, race_id: str) -> None:
        since = self._now() - race_state.START_TIMEOUT_MILLISECONDS
        if await self._index.count_waiting_races(player, since, race_id) >= MAX_WAITING:
            raise TooMany("You have opened {count} races: start or leave one first.", count=MAX_WAITING)

    async def join(self, race_id: str, player: str, nonce: str, token: str | None) -> RaceState:
        """Join a race. Raises NotFound, or Conflict if there is no place for the player."""
        check_nonce(nonce)
        race = await self._settlement.get(race_id)
        known = token is not None and compare_digest(
            token.encode(), (await self._repository.invitation_token(race.id)).encode()
        )
        if not (known or race.opened.open or player in race.players or player in race.invited):
            raise Conflict("This race is joined by its link only.")
        while True:
            race = await self._settlement.get(race_id)
            others = [one for one in race.players if one != player]
            await self._require_one_place(player, others)

            def decide(now: RaceState, known: Sequence[str] = race.players) -> PlayerJoined | None:
                if now.players != known:
                    raise _PlayersChanged
                return race_state.join(now, player, nonce, self._now())

            with suppress(_PlayersChanged):
                return await self._settlement.change(race_id, decide)

    async def _require_one_place(self, player: str, others: Sequence[str]) -> None:
        """Raise Conflict if one of the others is the player's owner or bot: they count as one person."""
        person = await self._persons.person_of(player)
        for other in others:
            if await self._persons.person_of(other) == person:
                raise Conflict("A player and their bots have one place in a race together.")

    async def leave(self, race_id: str, player: str) -> RaceState:
        """Leave a race. Raises NotFound, or Conflict once it is started."""
        return await self._settlement.change(race_id, lambda race: race_state.leave(race, player))

    async def start(self, race_id: str, player: str) -> RaceState:
        """Begin the countdown of a race.

        Raises NotFound, Conflict unless the host starts it with another racer, and Unavailable while clocks disagree.
        """
        await self._settlement.require_agreeing_clocks()
        return await self._settlement.change(race_id, lambda race: race_state.start(race, player, self._now()))

    async def rematch(self, race_id: str, player: str, nonce: str) -> RaceState:
        """Open the next race of the same people, or join it. Raises NotFound, or Conflict before the end."""
        check_nonce(nonce)
        before = await self._settlement.get(race_id)
        next_id = race_state.rematch_id(race_id, (await self._repository.deal(race_id)).secret)
        race_state.rematch(before, player, next_id)  # raises Conflict if no rematch is possible
        opened = before.opened
        wanted = NewRace(
            rules=opened.game,
            nonce=nonce,
            size=opened.size,
            seconds=opened.seconds,
            countdown=opened.countdown,
            open=opened.open,
        )
        if before.rematch is None:
            await self.open(player, wanted, before.players, next_id)
            await self._settlement.change(race_id, lambda race: race_state.rematch(race, player, next_id))
        return await self.join(next_id, player, nonce, None)

    async def listed(self) -> list[RaceState]:
        """Return the open races that anyone may join: those of hosts with a name first, then the latest.

        Requests that arrive while the list is being read share one result.
        """
        return await self._listed.get(MAX_LISTED) or []

    async def _find_listed(self, keys: Collection[int]) -> dict[int, list[RaceState]]:
        now = self._now()
        names = await self._index.open_races(now - race_state.START_TIMEOUT_MILLISECONDS, MAX_LISTED)
        found = [await self._settlement.get(name) for name in names]
        listed = [race for race in found if race.state(now) == "open"]
        return dict.fromkeys(keys, listed)
