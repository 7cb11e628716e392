"""What players do with a day's deals: play them once for the board, again for practice, or ask to be shown them.

The one attempt at a deal has a stream of its own, whose name follows from the day's secret. Whatever comes first in it
holds: begun, it is ranked until it is spoiled; spoiled first, there is no ranked run any more. If two nodes do both at
once, the log's unique versions let one of them through.
"""

from typing import Protocol

from server.competitions.daily.challenges import DailyChallenge, DailyChallenges
from server.competitions.daily.competition import own_run
from server.core import ids
from server.core.clock import Clock
from server.core.errors import AlreadyPlayed, DayNotOpen, NotFound, SpoilerEmbargo
from server.eventlog.events import GameDealt
from server.fairness.sealed_deals import SealedDeal
from server.games import visibility
from server.games.deal_event import make_deal_event
from server.games.game_cache import GameCache
from server.games.game_state import GameState
from server.games.run_results import RunResults
from server.players.newcomers import Newcomers
from server.players.player_cache import PlayerCache


class Commands(Protocol):
    """What a day asks of the commands on games."""

    async def deal(self, game_id: str, dealt: GameDealt, secret: bytes, at: int) -> GameState:
        """Deal a game at that moment, or return it. Raises NotFound where its stream has begun otherwise."""

    async def spoil(self, game_id: str, player: str, deal: str) -> None:
        """Let the attempt of this id count no more, begun or not; leave one that is over as it is."""


class DailyAttempts:
    """The runs of a day's deals."""

    def __init__(
        self,
        challenges: DailyChallenges,
        commands: Commands,
        cache: GameCache,
        results: RunResults,
        newcomers: Newcomers,
        players: PlayerCache,
        now: Clock,
    ) -> None:
        self._challenges = challenges
        self._commands = commands
        self._cache = cache
        self._results = results
        self._newcomers = newcomers
        self._players = players
        self._now = now

    async def enter(self, player: str, day: str, slot: int) -> GameState:
        """Return the player's one ranked game of a deal: begun now, or found.

        Raises NotFound, DayNotOpen, or AlreadyPlayed for who has asked to be shown the deal before.
        """
        now = self._now()
        daily, deal = await self._find(day, slot, now)
        game_id = daily.attempt(deal.id, player)
        try:
            return await self._cache.get(game_id)
        except NotFound:
            if daily.closed or not daily.span.opens_at <= now < daily.span.ends_at:
                raise DayNotOpen(
                    "A day's deals can be begun on that day only, from midnight to midnight UTC."
                ) from None
        await self._players.player(player)  # so that the progress of the day knows the name
        try:
            return await self._commands.deal(game_id, make_deal_event(deal, player, ranked=True), deal.secret, now)
        except NotFound:
            raise AlreadyPlayed("You asked to be shown this deal: play it for practice.") from None

    async def practise(self, player: str, day: str, slot: int, game_id: str | None = None) -> GameState:
        """Begin a run of a deal that does not count, or return the one with this id.

        Raises NotFound, DayNotOpen before the day, or SpoilerEmbargo while the player's own run still may count.
        """
        now = self._now()
        daily, deal = await self._find(day, slot, now)
        if daily.state(now) == "announced":
            raise DayNotOpen("This day has not come yet.")
        if not await self.may_practise(player, daily, deal.id):
            raise SpoilerEmbargo("Finish your ranked run of this deal first, or ask to be shown the deal.")
        await self._players.player(player)
        return await self._commands.deal(game_id or ids.new_id(), make_deal_event(deal, player), deal.secret, now)

    async def may_practise(self, player: str, daily: DailyChallenge, deal: str) -> bool:
        """Return whether the player may play a deal of the day for practice now."""
        run = await own_run(self._results, daily, deal, player)
        public = daily.state(self._now()) == "closed"
        relation = visibility.Relation(shared=True, public=public, finished=run.finished, spoiled=run.spoiled)
        return visibility.may_practise(relation)

    async def spoil(self, player: str, day: str, slot: int) -> None:
        """Let the player see the games of others, after which no run of the player's counts. Asking again is allowed.

        Raises NotFound, DayNotOpen, or SpoilerEmbargo for an account so new that it would see nothing by it.
        """
        now = self._now()
        daily, deal = await self._find(day, slot, now)
        if daily.state(now) != "open":
            raise DayNotOpen("A deal is shown from its day's beginning; after its close it is everybody's anyway.")
        if await self._newcomers.is_newcomer(player):
            raise SpoilerEmbargo("Your account is too new to be shown the games of others before the day has closed.")
        await self._commands.spoil(daily.attempt(deal.id, player), player, deal.id)

    async def _find(self, day: str, slot: int, now: int) -> tuple[DailyChallenge, SealedDeal]:
        daily = await self._challenges.get(day, now)
        deal = None if daily is None else daily.deal(slot)
        if daily is None or deal is None:
            raise NotFound("There is no such deal on that day.")
        return daily, deal
