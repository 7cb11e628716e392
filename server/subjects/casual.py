"""Casual games: starting one, and their competition, which has no consequences.

Casual games as a competition: the deal is not shared, spectators see what the player sees, and no board counts
them.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

from cadogan.engine import UnknownDeal
from cadogan.server.core import dates, ids
from cadogan.server.core.clock import Clock
from cadogan.server.core.errors import BadMessage, CommandReused, Conflict, NotFound, NoWinnableDeal, TooMany
from cadogan.server.core.event_loop import OneAtATime
from cadogan.server.core.eventlog.events import GameDealt, Winnable
from cadogan.server.core.fairness.commit_reveal import check_nonce
from cadogan.server.core.fairness.sealed_deals import SealedDeal, SealedDeals
from cadogan.server.core.fairness.winnable_search import WinnableSearch
from cadogan.server.core.games.competition import Competition, OwnRun, make_deal_event
from cadogan.server.core.games.competition_rules import GameOutline
from cadogan.server.core.games.game_index import GameIndex
from cadogan.server.core.games.game_state import GameState
from cadogan.server.subjects.known_rules import CasualRules


class CasualCompetition(Competition):
    """The competition that casual games belong to."""

    rules = CasualRules()

    async def is_public(self, game: GameOutline) -> bool:
        return False

    async def own_run(self, player: str, game: GameOutline) -> OwnRun:
        return OwnRun()

    async def require_open(self, game: GameState, now: int) -> None:
        """Accept every command: a casual game has no time limit."""


MAX_UNFINISHED = 100
"""The maximum number of unfinished casual and practice games begun in the last 24 hours that one player may have."""


class Dealer(Protocol):
    """Deals games."""

    async def deal(self, game_id: str, dealt: GameDealt, secret: bytes, at: int) -> GameState:
        """Deal a game at the time `at`, or return the existing game with this id."""

    async def find(self, game_id: str) -> GameState | None:
        """Return the game with this id, or None."""


class CasualGames:
    """The casual games of a server."""

    def __init__(
        self, deals: SealedDeals, search: WinnableSearch, dealer: Dealer, index: GameIndex, now: Clock
    ) -> None:
        self._deals = deals
        self._search = search
        self._dealer = dealer
        self._index = index
        self._now = now
        self._one_at_a_time = OneAtATime()

    async def seal(self, rules: str, deal_id: str | None = None) -> SealedDeal:
        """Seal a deal for these rules, or return the one with this id. Its commitment may then be published.

        Raises CommandReused if the deal with this id is for another game.
        """
        deal = await self._deals.seal_named(deal_id or ids.new_id(), rules, self._now())
        if deal.game != rules:
            raise CommandReused("This Idempotency-Key has been used for another request.")
        return deal

    async def begin(
        self, player: str, deal_id: str, nonce: str, number: int | None = None, *, is_winnable: bool = False
    ) -> GameState:
        """Begin a game with a sealed deal, or with the cards of a numbered one in its place.

        If it `is_winnable`, the first candidate of the deal is dealt that a search wins. Repeating the call with the
        same arguments returns the same game. Raises BadMessage for a nonce that cannot be displayed and for a number
        that the deals of the game do not have, NotFound for an unknown deal, Conflict for a deal that was used already,
        NoWinnableDeal if the search wins no candidate in time, and TooMany if the player has `MAX_UNFINISHED`
        unfinished games from the last 24 hours.
        """
        check_nonce(nonce)
        if is_winnable and number is not None:
            raise BadMessage("A numbered deal has its own cards: ask for a winnable deal without a number.")
        deal = await self._deals.get(deal_id) if ids.is_valid(deal_id) else None
        if deal is None:
            raise NotFound("There is no such deal.")
        await self._require_room(player, deal.id)  # before a search, which is costly
        winnable = await self._find_winnable(deal, nonce) if is_winnable else None
        # A deal is used once: the game has the deal's id, so a second game would be the same stream.
        try:
            dealt = make_deal_event(deal, player, nonce=nonce, number=number, winnable=winnable)
        except UnknownDeal:
            raise BadMessage("The deals of this game have no numbers.") from None
        async with self.room_for(player, deal.id):
            game = await self._dealer.deal(deal.id, dealt, deal.secret, self._now())
        if (game.player, game.dealt.nonce, game.dealt.number, game.dealt.winnable) != (player, nonce, number, winnable):
            raise Conflict("This deal has been used.")
        return game

    async def _find_winnable(self, deal: SealedDeal, nonce: str) -> Winnable:
        """Return the candidate that is dealt, or was dealt if the game has begun. Raises Conflict or NoWinnableDeal."""
        if begun := await self._dealer.find(deal.id):
            if begun.dealt.winnable is None:
                raise Conflict("This deal has been used.")
            return begun.dealt.winnable
        if (found := await self._search.find(deal.game, nonce, deal.secret)) is None:
            raise NoWinnableDeal("No deal that can be won was found in time: play any deal, or try again.")
        return found

    @asynccontextmanager
    async def room_for(self, player: str, game_id: str) -> AsyncIterator[None]:
        """Hold a place for a game, in which no other game of the player is begun on this node.

        Raises TooMany if the player has `MAX_UNFINISHED` other unfinished games from the last 24 hours.
        """
        async with self._one_at_a_time.of(player):
            await self._require_room(player, game_id)
            yield

    async def _require_room(self, player: str, game_id: str) -> None:
        since = self._now() - dates.MILLISECONDS_PER_DAY
        unfinished = await self._index.unranked_games_in_progress(player, since, MAX_UNFINISHED)
        if len(unfinished) >= MAX_UNFINISHED and game_id not in unfinished:
            raise TooMany("You have started {count} games today: finish or give up one first.", count=MAX_UNFINISHED)
