"""A played deal, by its id: its players and their results, and playing the same cards again.

A deal may be played again when its cards are public: a casual one when its first game is over, one of a day when the
day has closed, one of a race when the race is over. Until then somebody could practise it for a run that counts. The
new game is a continuation from the deal (`cadogan.server.subjects.analysis.analysis_routes`), which counts nowhere, and
its record can be verified.

The cards of a numbered deal, such as FreeCell's number 617, were never a secret. Its link, `freecell-617`, can be
played by everybody at any time, also when nobody here has played it yet.
"""

from typing import NamedTuple

from aiohttp import web
from msgspec.structs import replace
from sqlalchemy import and_, or_, select

from cadogan import engine
from cadogan.engine.numbered_deals import MOST
from cadogan.server.core import ids
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import games, strikes
from cadogan.server.core.errors import BadMessage, Conflict, NotFound, SpoilerEmbargo
from cadogan.server.core.games.competition import Competition, Competitions
from cadogan.server.core.games.competition_rules import GameOutline
from cadogan.server.core.games.game_messages import game_card
from cadogan.server.core.games.game_reader import GameOutlines
from cadogan.server.core.games.game_state import GameState
from cadogan.server.core.people import PlayerCache
from cadogan.server.core.untrusted_input import has_unseen_characters
from cadogan.server.core.web.long_answers import charge_of
from cadogan.server.core.web.requests import asker, id_to_create, json_response, require_player, server_of
from cadogan.server.subjects.casual import CasualGames
from cadogan.wire.bodies import Game
from cadogan.wire.deals import MAX_RUNS, DealRun, PlayedDeal

MAX_GAMES = 1000
"""The best games of a deal that are read for its board; of each player, the best one is shown."""
MAX_ID = 64
_BEST_FIRST = (games.c.score.desc(), games.c.moves, games.c.milliseconds, games.c.id)
"""The order of a deal's board, which the indexes `ix_games_deal_best` and `ix_games_number_best` have."""


class NumberedDeal(NamedTuple):
    """A numbered deal: the slug of its rules, and its number."""

    rules: str
    number: int

    @property
    def deal(self) -> str:
        """The last part of its link."""
        return f"{self.rules}-{self.number}"


def read_numbered_deal(deal: str) -> NumberedDeal | None:
    """Return the numbered deal that a link names; None if it names none, and so can only be the id of a sealed deal.

    Raises BadMessage for a number that no deal has, and for one that is not written in the usual way.
    """
    named = [slug for slug in engine.slugs() if deal.startswith(f"{slug}-")]
    rules = next((slug for slug in named if engine.game(slug).declaration.numbered), None)
    if rules is None:
        return None
    number = deal.removeprefix(f"{rules}-")
    usual = number.isascii() and number.isdigit() and len(number) <= len(str(MOST)) and number[0] != "0"
    if not usual or int(number) > MOST:
        raise BadMessage("The deals of this game have the numbers from 1 to {count}.", count=MOST)
    return NumberedDeal(rules, int(number))


class PlayedDeals:
    """The deals that were played on this server."""

    def __init__(
        self,
        database: Database,
        outlines: GameOutlines,
        competitions: Competitions,
        players: PlayerCache,
        casual_games: CasualGames,
    ) -> None:
        self._database = database
        self._outlines = outlines
        self._competitions = competitions
        self._players = players
        self._casual_games = casual_games

    async def begin(self, player: str, numbered: NumberedDeal, new_id: str) -> GameState:
        """Begin a game with the cards of a numbered deal, or return the one with the id `new_id`.

        Raises TooMany as `CasualGames.begin`.
        """
        sealed = await self._casual_games.seal(numbered.rules, new_id)
        return await self._casual_games.begin(player, sealed.id, numbered.deal, numbered.number)

    async def find(self, deal: str) -> GameOutline:
        """Return the game by which a deal is played again. Raises as `show`."""
        game = await self._outlines.get(deal if ids.is_valid(deal) else await self._first_game(deal))
        if game.dealt.deal != deal:
            raise NotFound("There is no such deal.")
        if game.competition.is_shared and not await self._competitions.is_public(game):
            raise SpoilerEmbargo("A deal can be played again when its day, round or race is over.")
        if not game.over:
            raise Conflict("A deal can be played again when its first game is over.")
        return game

    async def show(self, deal: str) -> PlayedDeal:
        """Return a deal and its board.

        Raises BadMessage as `read_numbered_deal`, NotFound, Archived, SpoilerEmbargo while others may still play it for
        a result that counts, or Conflict while its first game is not over.
        """
        competition: Competition | None = None
        if numbered := read_numbered_deal(deal):
            empty = PlayedDeal(deal=deal, rules=numbered.rules, number=numbered.number, players=0, runs=[])
            of_deal = and_(
                games.c.game == numbered.rules, games.c.number == numbered.number, games.c.number.is_not(None)
            )
        else:
            game = await self.find(deal)
            first = game.dealt
            empty = PlayedDeal(deal=deal, rules=first.game, day=first.day, race=first.race, players=0, runs=[])
            of_deal = games.c.deal == deal
            competition = self._competitions.of(game)
        rows = await self._database.fetch(
            select(games.c.id, games.c.player, games.c.status, games.c.score, games.c.moves, games.c.milliseconds)
            .where(
                of_deal,
                games.c.finished_at.is_not(None),
                or_(games.c.origin.is_(None), games.c.origin_version == 1),
                games.c.id.not_in(select(strikes.c.game_id)),
            )
            .order_by(*_BEST_FIRST)
            .limit(MAX_GAMES)
        )
        if competition is not None:
            left_out = {*await competition.runs_elsewhere(deal, {row.id: row.player for row in rows})}
            rows = [row for row in rows if row.id not in left_out]
        best = {row.player: row for row in reversed(rows)}
        shown = [row for row in rows if best[row.player] is row][:MAX_RUNS]
        players = await self._players.players([row.player for row in shown])
        return replace(
            empty,
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
        of_deal = select(games.c.id).where(games.c.deal == deal).limit(1)
        finished = of_deal.where(games.c.finished_at.is_not(None)).order_by(*_BEST_FIRST)
        row = await self._database.fetch_one(finished.where(games.c.origin.is_(None)))  # not one played again later
        row = row or await self._database.fetch_one(finished)
        row = row or await self._database.fetch_one(of_deal)
        if row is None:
            raise NotFound("There is no such deal.")
        return str(row.id)


async def show_deal(request: web.Request) -> web.Response:
    """Answer with a deal that was played, and its board."""
    return json_response(await server_of(request).played_deals.show(request.match_info["deal"]))


async def play_deal(request: web.Request) -> web.Response:
    """Start a casual game with the cards of a deal that was played, or of a numbered one, and answer with it."""
    server, deal = server_of(request), request.match_info["deal"]
    player, charge = await require_player(request), await charge_of(request)
    new_id = id_to_create(request, player)
    if numbered := read_numbered_deal(deal):
        server.limits.deal.take(asker(request, player))
        begun = await server.played_deals.begin(player.id, numbered, new_id)
    else:
        first = await server.played_deals.find(deal)
        server.limits.deal.take(asker(request, player))
        begun = await server.continuations.begin(player.id, first.id, 1, charge, new_id)
    return json_response(Game(game=game_card(begun, player)))
