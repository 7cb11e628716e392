"""Access: what a player may see of a game, depending on its competition and on the player's account.

All code that shows a game must check access here first. The rules themselves are in `cadogan.server.games.visibility`.
"""

from cadogan.server.competitions.competition import Competitions
from cadogan.server.core.errors import Conflict, SpoilerEmbargo
from cadogan.server.games import visibility
from cadogan.server.games.game_outline import GameOutline
from cadogan.server.games.visibility import AccessLevel, Relation
from cadogan.server.play.view_log import ViewLog
from cadogan.server.players.persons import Persons


class Access:
    """Access control on one node. A player of None or "" stands for a client that is not signed in."""

    def __init__(self, competitions: Competitions, persons: Persons, views: ViewLog) -> None:
        self._competitions = competitions
        self._persons = persons
        self._views = views

    async def grant(self, player: str | None, game: GameOutline) -> AccessLevel:
        """Return the access level of the player for the game, before the game is shown.

        If the view must be logged, it is in the log when this returns.
        """
        return await self._grant(player, game, await self.relation(player, game))

    async def require_cards(self, player: str | None, game: GameOutline) -> None:
        """Grant access to content with cards. Raises SpoilerEmbargo if the player may only see the progress."""
        relation = await self.relation(player, game)
        if await self._grant(player, game, relation) is AccessLevel.PROGRESS:
            if relation.newcomer:
                raise SpoilerEmbargo("Guests and new accounts see this when the day has closed, or the race is over.")
            raise SpoilerEmbargo("You will see this when your own run of the deal is over, or everybody's.")

    async def may_see_cards(self, player: str | None, game: GameOutline) -> bool:
        """Return whether the player may see the cards of the game now. This is not logged as a view."""
        return visibility.access_level_of(await self.relation(player, game)) is not AccessLevel.PROGRESS

    async def person_of(self, player: str) -> str:
        """Return the id of the person behind a player; all accounts of one person have the same access."""
        return await self._persons.person_of(player)

    async def relation(self, player: str | None, game: GameOutline) -> Relation:
        """Return how the player is related to a game."""
        shared = game.competition.is_shared
        if player == game.player:
            return Relation(own=True, shared=shared)
        if not shared:
            return Relation()
        competition = self._competitions.of(game)
        if await competition.is_public(game):
            return Relation(shared=True, public=True)
        if not player:
            return Relation(shared=True, newcomer=True)
        run = await competition.own_run(player, game)
        newcomer = await self._persons.is_newcomer(player, await competition.opened_at(game))
        return Relation(shared=True, finished=run.finished, spoiled=run.spoiled, newcomer=newcomer)

    async def may_have_record(self, game: GameOutline) -> bool:
        """Return whether the record of the game is public."""
        public = await self._competitions.is_public(game)
        return visibility.may_have_record(shared=game.competition.is_shared, public=public, over=game.over)

    async def require_record(self, game: GameOutline) -> None:
        """Raise SpoilerEmbargo or Conflict while the record of the game is secret."""
        if not await self.may_have_record(game):
            if game.competition.is_shared:
                raise SpoilerEmbargo("The record is available when the day has closed, or the race is over.")
            raise Conflict("The record is available when the game is over.")

    async def require_analysis(self, game: GameOutline) -> None:
        """Raise SpoilerEmbargo or Conflict while the analysis of the game is secret."""
        shared, public = game.competition.is_shared, await self._competitions.is_public(game)
        if not visibility.may_have_analysis(shared=shared, public=public, over=game.over):
            if shared:
                raise SpoilerEmbargo("A deal that others may still play is analysed when the day or the race is over.")
            raise Conflict("A game can be analysed when it is over.")
        if not game.over:
            raise Conflict("A game can be analysed when it is over.")

    async def may_ask_if_winnable(self, player: str, game: GameOutline) -> bool:
        """Return whether the player may query whether the position of their own game can still be won."""
        own = player == game.player
        return visibility.may_ask_if_winnable(
            own=own,
            hints=game.competition.may_have_hints(game.ranked),
            shared=game.competition.is_shared,
            public=own and await self._competitions.is_public(game),
        )

    async def _grant(self, player: str | None, game: GameOutline, relation: Relation) -> AccessLevel:
        if player and visibility.must_log_view(relation):
            await self._views.write(player, game.id, game.dealt.deal)
        return visibility.access_level_of(relation)
