"""A deal that was played, by its id: who has played it and how, and playing the same cards again.

A deal may be played again when its cards are nobody's secret any more: a casual one when its first game is over, one of
a day when the day has closed, one of a race when the race is over. Until then somebody could practise it for a run that
counts. The new game is a continuation from the deal (`cadogan.server.subjects.analysis.analysis_routes`), which counts
nowhere, and its record can be verified.
"""

from aiohttp import web
from sqlalchemy import or_, select

from cadogan.server.core import ids
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import games, strikes
from cadogan.server.core.errors import Conflict, NotFound, SpoilerEmbargo
from cadogan.server.core.games.competition import Competitions
from cadogan.server.core.games.competition_rules import GameOutline
from cadogan.server.core.games.game_messages import game_card
from cadogan.server.core.games.game_reader import GameOutlines
from cadogan.server.core.people import PlayerCache
from cadogan.server.core.untrusted_input import has_unseen_characters
from cadogan.server.core.web.long_answers import charge_of
from cadogan.server.core.web.requests import asker, id_to_create, json_response, require_player, server_of
from cadogan.wire.bodies import Game
from cadogan.wire.deals import MAX_RUNS, DealRun, PlayedDeal

MAX_GAMES = 1000
"""The best games of a deal that are read for its board; of each player, the best one is shown."""
MAX_ID = 64


class PlayedDeals:
    """The deals that were played on this server."""

    def __init__(
        self, database: Database, outlines: GameOutlines, competitions: Competitions, players: PlayerCache
    ) -> None:
        self._database = database
        self._outlines = outlines
        self._competitions = competitions
        self._players = players

    async def find(self, deal: str) -> GameOutline:
        """Return the game by which a deal is played again. Raises as `show`."""
        game = await self._outlines.get(deal if ids.is_valid(deal) else await self._first_game(deal))
        if game.dealt.deal != deal:
            raise NotFound("There is no such deal.")
        if game.competition.is_shared and not await self._competitions.is_public(game):
            raise SpoilerEmbargo("A deal can be played again when its day has closed, or its race is over.")
        if not game.over:
            raise Conflict("A deal can be played again when its first game is over.")
        return game

    async def show(self, deal: str) -> PlayedDeal:
        """Return a deal and its board.

        Raises NotFound, Archived, SpoilerEmbargo while others may still play it for a result that counts, or Conflict
        while its first game is not over.
        """
        first = await self.find(deal)
        rows = await self._database.fetch(
            select(games.c.id, games.c.player, games.c.status, games.c.score, games.c.moves, games.c.milliseconds)
            .where(
                games.c.deal == deal,
                games.c.finished_at.is_not(None),
                or_(games.c.origin.is_(None), games.c.origin_version == 1),
                games.c.id.not_in(select(strikes.c.game_id)),
            )
            .order_by(games.c.score.desc(), games.c.moves, games.c.milliseconds, games.c.id)
            .limit(MAX_GAMES)
        )
        best = {row.player: row for row in reversed(rows)}
        shown = [row for row in rows if best[row.player] is row][:MAX_RUNS]
        players = await self._players.players([row.player for row in shown])
        return PlayedDeal(
            deal=deal,
            rules=first.dealt.game,
            day=first.dealt.day,
            race=first.dealt.race,
            players=len(best),
            runs=[
                DealRun(
                    game=row.id,
                    player=players[row.player],
                    result=row.status,
                    score=row.score,
                    moves=row.moves,
                    milliseconds=row.milliseconds,
                )
                for row in shown
            ],
        )

    async def _first_game(self, deal: str) -> str:
        """Return the id of a game of this deal, a finished one if there is one. Raises NotFound."""
        if has_unseen_characters(deal) or len(deal) > MAX_ID:
            raise NotFound("There is no such deal.")
        of_deal = select(games.c.id).where(games.c.deal == deal)
        first = of_deal.order_by(games.c.finished_at.is_(None), games.c.started_at, games.c.id).limit(1)
        row = await self._database.fetch_one(first)
        if row is None:
            raise NotFound("There is no such deal.")
        return str(row.id)


async def show_deal(request: web.Request) -> web.Response:
    """Answer with a deal that was played, and its board."""
    return json_response(await server_of(request).played_deals.show(request.match_info["deal"]))


async def play_deal(request: web.Request) -> web.Response:
    """Start a casual game with the cards of a deal that was played, and answer with it."""
    server = server_of(request)
    player, charge = await require_player(request), await charge_of(request)
    first = await server.played_deals.find(request.match_info["deal"])
    server.limits.deal.take(asker(request, player))
    begun = await server.continuations.begin(player.id, first.id, 1, charge, id_to_create(request, player))
    return json_response(Game(game=game_card(begun, player)))
