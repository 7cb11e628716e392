"""What players do with a day's deals: play them once for the board, again for practice, or ask to be shown them.

The one attempt at a deal has a stream of its own, whose name follows from the day's secret. Whatever comes first in it
holds: begun, it is ranked until it is spoiled; spoiled first, there is no ranked run any more. Two nodes that do both
at once are parted by the log's unique versions.
"""

from collections.abc import Callable
from typing import Protocol

from server.competitions.daily.challenges import DailyChallenge, DailyChallenges
from server.core import ids
from server.core.errors import AlreadyPlayed, DayNotOpen, NotFound, SpoilerEmbargo
from server.eventlog.events import GameDealt
from server.fairness.sealed_deals import SealedDeal
from server.games import visibility
from server.games.deal_event import make_deal_event
from server.games.game_cache import GameCache
from server.games.game_state import GameState
from server.players.player_cache import PlayerCache


class Games(Protocol):
    """What is asked of those who play the games."""

    async def deal(self, game_id: str, dealt: GameDealt, secret: bytes, at: int) -> GameState:
        """A game dealt at that moment, or found. Raises NotFound where its stream has begun otherwise."""

    async def spoil(self, game_id: str, player: str, deal: str) -> None:
        """The attempt of this id counts no more, whether it has been begun or not; one that is over stays as it is."""


class Access(Protocol):
    """Tells how a player stands to a deal."""

    async def to_deal(self, player: str, day: str, deal: str) -> visibility.Standing:
        """How the player stands to the games that others play of a day's deal."""

    async def is_newcomer(self, player: str) -> bool:
        """Whether the account was made a short while ago, or is gone."""


class Attempts:
    """The runs of a day's deals. `now` gives the time in milliseconds since 1970."""

    def __init__(
        self,
        games: Games,
        sittings: GameCache,
        dailies: DailyChallenges,
        admission: Access,
        roster: PlayerCache,
        now: Callable[[], int],
    ) -> None:
        self._games = games
        self._sittings = sittings
        self._dailies = dailies
        self._admission = admission
        self._roster = roster
        self._now = now

    async def enter(self, player: str, day: str, slot: int) -> GameState:
        """The player's one ranked game of a deal: begun now, or found.

        Raises NotFound, DayNotOpen, or AlreadyPlayed for who has asked to be shown the deal before.
        """
        now = self._now()
        daily, deal = await self._deal(day, slot, now)
        game_id = daily.attempt(deal.id, player)
        try:
            return await self._sittings.get(game_id)
        except NotFound:
            if daily.closed or not daily.span.opens_at <= now < daily.span.ends_at:
                raise DayNotOpen(
                    "A day's deals can be begun on that day only, from midnight to midnight UTC."
                ) from None
        await self._roster.player(player)
        try:
            return await self._games.deal(game_id, make_deal_event(deal, player, ranked=True), deal.secret, now)
        except NotFound:
            raise AlreadyPlayed("You asked to be shown this deal: play it for practice.") from None

    async def practise(self, player: str, day: str, slot: int) -> GameState:
        """A new run of a deal that does not count.

        Raises NotFound, DayNotOpen before the day, or SpoilerEmbargo while the player's own run still may count.
        """
        now = self._now()
        daily, deal = await self._deal(day, slot, now)
        if daily.state(now) == "announced":
            raise DayNotOpen("This day has not come yet.")
        if not visibility.may_practise(await self._admission.to_deal(player, day, deal.id)):
            raise SpoilerEmbargo("Finish your ranked run of this deal first, or ask to be shown the deal.")
        await self._roster.player(player)
        return await self._games.deal(ids.new_id(), make_deal_event(deal, player), deal.secret, now)

    async def spoil(self, player: str, day: str, slot: int) -> None:
        """Let the player see the games of others, and no run of the player's count any more; asked again, the same.

        Raises NotFound, DayNotOpen, or SpoilerEmbargo for an account so new that it would see nothing by it.
        """
        now = self._now()
        daily, deal = await self._deal(day, slot, now)
        if daily.state(now) != "open":
            raise DayNotOpen("A deal is shown from its day's beginning; after its close it is everybody's anyway.")
        if await self._admission.is_newcomer(player):
            raise SpoilerEmbargo("Your account is too new to be shown the games of others before the day has closed.")
        await self._games.spoil(daily.attempt(deal.id, player), player, deal.id)

    async def _deal(self, day: str, slot: int, now: int) -> tuple[DailyChallenge, SealedDeal]:
        daily = await self._dailies.get(day, now)
        deal = None if daily is None else daily.deal(slot)
        if daily is None or deal is None:
            raise NotFound("There is no such deal on that day.")
        return daily, deal
