"""What players do with a day's deals: play them once for the board, again for practice, or ask to be shown them.

A person has one attempt at a deal, whichever of their accounts begins it: an owner and their bots are one person. The
attempt has a stream of its own, whose name follows from the day's secret. Whatever comes first in it holds: begun, it
is ranked until it is spoiled; spoiled first, there is no ranked run any more. If two nodes do both at once, the log's
unique versions let one of them through.
"""

from typing import Protocol

from cadogan.server.competitions.daily.challenges import DailyChallenges
from cadogan.server.competitions.daily.competition import own_run
from cadogan.server.competitions.daily.daily_challenge import DailyChallenge
from cadogan.server.core import ids
from cadogan.server.core.clock import Clock
from cadogan.server.core.errors import AlreadyPlayed, DayNotOpen, NotFound, SpoilerEmbargo
from cadogan.server.eventlog.events import GameDealt
from cadogan.server.fairness.sealed_deals import SealedDeal
from cadogan.server.games import visibility
from cadogan.server.games.deal_event import make_deal_event
from cadogan.server.games.game_cache import GameCache
from cadogan.server.games.game_index import Attempt
from cadogan.server.games.game_state import GameState
from cadogan.server.games.run_results import RunResults
from cadogan.server.players.persons import Persons
from cadogan.server.players.player_cache import PlayerCache


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
        persons: Persons,
        players: PlayerCache,
        now: Clock,
    ) -> None:
        self._challenges = challenges
        self._commands = commands
        self._cache = cache
        self._results = results
        self._persons = persons
        self._players = players
        self._now = now

    async def enter(self, player: str, day: str, slot: int) -> GameState:
        """Return the player's one ranked game of a deal: begun now, or found.

        Raises NotFound, DayNotOpen, or AlreadyPlayed for who has asked to be shown the deal before, or has let a bot
        play it, or is a bot of somebody who has begun it.
        """
        now = self._now()
        daily, deal = await self._find(day, slot, now)
        game_id = daily.attempt(deal.id, await self._persons.person_of(player))
        may_begin = daily.state(now) == "open" and now < daily.span.ends_at
        is_new = may_begin and await self._results.get(game_id) == Attempt()  # a crowd asks this together
        try:
            if not is_new:
                return await self._require_own(await self._cache.get(game_id), player)
        except NotFound:
            if daily.is_shuffling(now):
                raise DayNotOpen("The cards of this day are being shuffled: try again in some seconds.") from None
            if not may_begin:
                raise DayNotOpen(
                    "A day's deals can be started on that day only, from midnight to midnight UTC."
                ) from None
        await self._players.player(player)  # so that the progress of the day knows the name
        try:
            game = await self._commands.deal(game_id, make_deal_event(deal, player, ranked=True), deal.secret, now)
        except NotFound:
            raise AlreadyPlayed("You have seen the cards of this deal: play it for practice.") from None
        return await self._require_own(game, player)

    async def practise(self, player: str, day: str, slot: int, game_id: str | None = None) -> GameState:
        """Begin a run of a deal that does not count, or return the one with this id.

        Raises NotFound, DayNotOpen before the day, or SpoilerEmbargo: while the day is open, for newcomers and for who
        has an own run that may still count.
        """
        now = self._now()
        daily, deal = await self._find(day, slot, now)
        if daily.state(now) == "announced":
            raise DayNotOpen("This day has not come yet.")
        relation = await self._relation(player, daily, deal.id)
        if not visibility.may_practise(relation):
            if relation.newcomer:
                raise SpoilerEmbargo("Guests and new accounts can practise this deal when its day has closed.")
            raise SpoilerEmbargo("Finish your ranked run of this deal first, or ask to see the cards.")
        await self._players.player(player)
        return await self._commands.deal(game_id or ids.new_id(), make_deal_event(deal, player), deal.secret, now)

    async def may_practise(self, player: str, daily: DailyChallenge, deal: str) -> bool:
        """Return whether the player may play a deal of the day for practice now."""
        return visibility.may_practise(await self._relation(player, daily, deal))

    async def spoil(self, player: str, day: str, slot: int) -> None:
        """Let the player see the games of others, after which no run of the player's counts. Asking again is allowed.

        Raises NotFound, DayNotOpen, or SpoilerEmbargo for newcomers, who would see nothing by it.
        """
        now = self._now()
        daily, deal = await self._find(day, slot, now)
        if daily.state(now) != "open":
            raise DayNotOpen(
                "A deal can be shown while its day is open. When the day has closed, everybody can see it."
            )
        if await self._persons.is_newcomer(player, daily.span.opens_at):
            raise SpoilerEmbargo("Guests and new accounts are shown the games of others when the day has closed.")
        await self._commands.spoil(daily.attempt(deal.id, await self._persons.person_of(player)), player, deal.id)

    async def _require_own(self, game: GameState, player: str) -> GameState:
        """Return the game if the player plays it; raise AlreadyPlayed if another account of the same person does."""
        if game.player != player:
            holder = await self._players.player(game.player)
            raise AlreadyPlayed(
                "A player and their bots have one attempt at a deal together: {name} has started it.", name=holder.name
            )
        return game

    async def _relation(self, player: str, daily: DailyChallenge, deal: str) -> visibility.Relation:
        """Return how the player is related to a deal of the day."""
        run = await own_run(self._results, daily, deal, await self._persons.person_of(player))
        return visibility.Relation(
            shared=True,
            public=daily.closed,
            finished=run.finished,
            spoiled=run.spoiled,
            newcomer=await self._persons.is_newcomer(player, daily.span.opens_at),
        )

    async def _find(self, day: str, slot: int, now: int) -> tuple[DailyChallenge, SealedDeal]:
        daily = await self._challenges.get_latest(day, now)
        deal = None if daily is None else daily.deal(slot)
        if daily is None or deal is None:
            raise NotFound("There is no such deal on that day.")
        return daily, deal
