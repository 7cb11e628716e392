"""Races as people have them: opened, joined, left, started, raced again.

Each of these is one event or nothing, decided by `race_state`; `repository` writes it, and all that the
clock brings.
"""

from collections.abc import Sequence
from hmac import compare_digest

from clients.wire.races import NewRace
from server.competitions.races import race_state
from server.competitions.races.race_state import RaceState
from server.competitions.races.repository import RaceRepository
from server.core import ids
from server.core.errors import Conflict
from server.eventlog.events import PlayerJoined, RaceOpened
from server.fairness.sealed_deals import SealedDeal
from server.games.game_index import GameIndex

MOST_LISTED = 50


class Races:
    """What players do with races."""

    def __init__(self, keeper: RaceRepository, index: GameIndex) -> None:
        self._keeper = keeper
        self._index = index

    async def open(self, player: str, wanted: NewRace, invited: Sequence[str] = (), match_id: str = "") -> RaceState:
        """A new race with the player in its first place; its cards are sealed before another's nonce is mixed in."""

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

        return await self._keeper.begin(match_id or ids.new_id(), opening, wanted.rules)

    async def join(self, match_id: str, player: str, nonce: str, token: str | None) -> RaceState:
        """The race with the player in it. Raises NotFound, or Conflict where there is no place for the player."""
        match = await self._keeper.get(match_id)
        known = token is not None and compare_digest(token.encode(), (await self._keeper.token(match)).encode())
        if not (known or match.opened.open or player in match.players or player in match.invited):
            raise Conflict("This race is joined by its link only.")
        return await self._keeper.change(
            match_id, lambda match: race_state.join(match, player, nonce, self._keeper.now())
        )

    async def leave(self, match_id: str, player: str) -> RaceState:
        """The race without the player. Raises NotFound, or Conflict once it is started."""
        return await self._keeper.change(match_id, lambda match: race_state.leave(match, player))

    async def start(self, match_id: str, player: str) -> RaceState:
        """The race with its countdown begun. Raises NotFound, or Conflict for all but the host, or if he is alone."""
        return await self._keeper.change(match_id, lambda match: race_state.start(match, player, self._keeper.now()))

    async def rematch(self, match_id: str, player: str, nonce: str) -> RaceState:
        """The next race of the same people, with the player in it. Raises NotFound, or Conflict before the end."""
        before = await self._keeper.get(match_id)
        next_id = race_state.next_of(match_id, await self._keeper.secret(before))
        race_state.rematch(before, player, next_id)  # may it be had?
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
            await self._keeper.change(match_id, lambda match: race_state.rematch(match, player, next_id))
        return await self.join(next_id, player, nonce, None)

    async def listed(self) -> list[RaceState]:
        """The open races that anyone may join, the latest first."""
        now = self._keeper.now()
        names = await self._index.open_races(now - race_state.PATIENCE, MOST_LISTED)
        found = [await self._keeper.get(name) for name in names]
        return [match for match in found if match.state(now) == "open"]
