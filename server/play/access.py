"""Admission: how a viewer stands to a game, asked from days, races, accounts and the log; `standing` decides from it.

Whatever shows a game asks here first, and nowhere else.
"""

from collections.abc import Awaitable, Callable
from typing import Protocol

from server.competitions.daily.challenges import DailyChallenges
from server.core.batching import Batcher
from server.core.errors import SpoilerEmbargo
from server.eventlog.events import GameDealt
from server.games import visibility
from server.games.game_index import Attempt, GameIndex
from server.games.game_state import GameState
from server.games.visibility import Sight, Standing
from server.play.view_log import ViewLog

MOST = 100_000
"""Facts that never change again and are remembered, so that nothing is asked again."""


class Races(Protocol):
    """What is asked of the races."""

    async def over(self, match_id: str) -> bool:
        """Whether a race is over."""

    async def game_of(self, match_id: str, player: str) -> str | None:
        """The player's game in a race; None for somebody who is not in it."""


class Access:
    """Who may see what, at one node. A player of None, or "", is somebody who is not signed in.

    `since` asks when an account was made; one younger than `fresh` milliseconds is a newcomer's.
    """

    def __init__(
        self,
        *,
        dailies: DailyChallenges,
        races: Races,
        index: GameIndex,
        views: ViewLog,
        since: Callable[[str], Awaitable[int | None]],
        fresh: int,
        now: Callable[[], int],
    ) -> None:
        self._dailies = dailies
        self._races = races
        self._attempts = Batcher(index.read_attempts)
        self._views = views
        self._since = since
        self._fresh = fresh
        self._now = now
        self._settled: dict[str, Attempt] = {}
        self._made: dict[str, int] = {}

    async def admit(self, player: str | None, game: GameState) -> Sight:
        """What the player is about to be shown of the game; that it was is in the log when this returns."""
        viewer = await self.standing(player, game.player, game.dealt)
        if player and visibility.is_logged(viewer):
            await self._views.write(player, game.id, game.dealt.deal)
        return visibility.sight(viewer)

    async def admit_to_cards(self, player: str | None, game: GameState) -> None:
        """The same for what is nothing without the cards. Raises SpoilerEmbargo for whoever sees the meter."""
        if await self.admit(player, game) is Sight.METER:
            raise SpoilerEmbargo(
                "You will see this when your own run of the deal is over, or everybody's; a new account waits longer."
            )

    async def standing(self, player: str | None, owner: str, dealt: GameDealt) -> Standing:
        """How the player stands to a game of this owner."""
        if player == owner:
            return Standing(own=True, shared=_shared(dealt))
        if not _shared(dealt):
            return Standing()
        if await self.public(dealt):
            return Standing(shared=True, public=True)
        if not player:
            return Standing(shared=True, newcomer=True)
        if dealt.race is not None:
            own = await self._races.game_of(dealt.race, player)
            finished = own is not None and (await self._attempt(own)).result is not None
            return Standing(shared=True, finished=finished, newcomer=await self.is_newcomer(player))
        assert dealt.day is not None
        return await self.to_deal(player, dealt.day, dealt.deal)

    async def to_deal(self, player: str, day: str, deal: str) -> Standing:
        """How the player stands to the games that others play of a day's deal."""
        now = self._now()
        daily = await self._dailies.get(day, now)
        if daily is None or daily.state(now) == "closed":
            return Standing(shared=True, public=daily is not None)
        attempt = await self._attempt(daily.attempt(deal, player))
        return Standing(
            shared=True,
            finished=attempt.result is not None,
            spoiled=attempt.spoiled,
            newcomer=await self.is_newcomer(player),
        )

    async def public(self, dealt: GameDealt) -> bool:
        """Whether a shared deal is everybody's: its day with its grace, or its race, is over."""
        if dealt.race is not None:
            return await self._races.over(dealt.race)
        return dealt.day is not None and await self._dailies.closed(dealt.day, self._now())

    async def may_have_record(self, game: GameState) -> bool:
        """Whether anyone may have the record of the game."""
        shared = _shared(game.dealt)
        public = shared and await self.public(game.dealt)
        return visibility.may_have_record(shared=shared, public=public, over=game.over)

    async def is_newcomer(self, player: str) -> bool:
        """Whether nobody knows the player yet: the account was made a short while ago, or is gone."""
        if self._fresh == 0:
            return False
        if player not in self._made:
            made = await self._since(player)
            if made is None:
                return True
            if len(self._made) >= MOST:
                self._made.clear()
            self._made[player] = made
        return self._now() - self._made[player] < self._fresh

    async def _attempt(self, game_id: str) -> Attempt:
        known = self._settled.get(game_id)
        if known is None:
            known = await self._attempts.get(game_id) or Attempt()
            if known.spoiled or known.result is not None:
                if len(self._settled) >= MOST:
                    self._settled.clear()
                self._settled[game_id] = known
        return known


def _shared(dealt: GameDealt) -> bool:
    return dealt.day is not None or dealt.race is not None
