"""The ways to use a day's deals: one ranked attempt, unranked practice, or seeing the deal without playing it ranked.

A person has one attempt at a deal, whichever of their accounts begins it: an owner and their bots are one person. The
attempt has a stream of its own, whose name is derived from the day's secret. Its first event decides: if the game was
dealt first, it is ranked until it is spoiled; if it was spoiled first, no ranked run is possible. If two nodes write
both events at once, the log's unique versions accept only one of them.
"""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from cadogan.server.core import ids
from cadogan.server.core.clock import Clock
from cadogan.server.core.errors import AlreadyPlayed, DayNotOpen, NotFound, SpoilerEmbargo
from cadogan.server.core.eventlog.events import GameDealt
from cadogan.server.core.fairness.sealed_deals import SealedDeal
from cadogan.server.core.games import visibility
from cadogan.server.core.games.competition import RunResults, make_deal_event
from cadogan.server.core.games.game_cache import GameCache
from cadogan.server.core.games.game_index import Attempt
from cadogan.server.core.games.game_state import GameState
from cadogan.server.core.people import Persons, PlayerCache
from cadogan.server.subjects.daily.challenges import DailyChallenges
from cadogan.server.subjects.daily.competition import own_run
from cadogan.server.subjects.daily.days import DailyChallenge


class Commands(Protocol):
    """The game commands that a day uses."""

    async def deal(self, game_id: str, dealt: GameDealt, secret: bytes, at: int) -> GameState:
        """Deal a game at the time `at`, or return it. Raises NotFound if its stream begins with another event."""

    async def spoil(self, game_id: str, player: str, deal: str) -> None:
        """Make the attempt with this id unranked, whether or not it has begun. A finished attempt does not change."""


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
        room_for: Callable[[str, str], AbstractAsyncContextManager[None]],
        now: Clock,
    ) -> None:
        """`room_for` is called with player and game id, holds a place for a game that does not count, or raises."""
        self._challenges = challenges
        self._commands = commands
        self._cache = cache
        self._results = results
        self._persons = persons
        self._players = players
        self._room_for = room_for
        self._now = now

    async def enter(self, player: str, day: str, slot: int) -> GameState:
        """Return the player's one ranked game of a deal, and begin it if it does not exist.

        Raises NotFound, DayNotOpen, or AlreadyPlayed if the player has seen the deal, or another account of the same
        person (owner or bot) has begun it.
        """
        now = self._now()
        daily, deal = await self._find(day, slot, now)
        game_id = daily.attempt(deal.id, await self._persons.person_of(player))
        may_begin = daily.state(now) == "open" and now < daily.span.ends_at
        is_new = may_begin and await self._results.get(game_id) == Attempt()  # batched: many players send this at once
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
        await self._players.player(player)  # the progress of the day shows the player's name
        try:
            game = await self._commands.deal(game_id, make_deal_event(deal, player, ranked=True), deal.secret, now)
        except NotFound:
            raise AlreadyPlayed("You have seen the cards of this deal: play it for practice.") from None
        return await self._require_own(game, player)

    async def practise(self, player: str, day: str, slot: int, game_id: str | None = None) -> GameState:
        """Begin an unranked run of a deal, or return the one with this id.

        Raises NotFound, DayNotOpen before the day, TooMany for a player with too many unfinished games, or
        SpoilerEmbargo: while the day is open, for newcomers and for players whose ranked run is not finished.
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
        game_id = game_id or ids.new_id()
        async with self._room_for(player, game_id):
            return await self._commands.deal(game_id, make_deal_event(deal, player), deal.secret, now)

    async def may_practise(self, player: str, daily: DailyChallenge, deal: str) -> bool:
        """Return whether the player may play a deal of the day for practice now."""
        return visibility.may_practise(await self._relation(player, daily, deal))

    async def spoil(self, player: str, day: str, slot: int) -> None:
        """Let the player see others' games of the deal, and make the player's own runs unranked. Idempotent.

        Raises NotFound, DayNotOpen, or SpoilerEmbargo for newcomers, whom it would show nothing.
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
        """Return the game if it is the player's; raise AlreadyPlayed if it is another account's of the same person."""
        if game.player != player:
            holder = await self._players.player(game.player)
            raise AlreadyPlayed(
                "A player and their bots have one attempt at a deal together: {name} has started it.", name=holder.name
            )
        return game

    async def _relation(self, player: str, daily: DailyChallenge, deal: str) -> visibility.Relation:
        """Return the player's relation to a deal of the day, which decides what the player may see."""
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
