"""Handlers: analyses, ways to win, two games compared, and playing on from a position of a finished game.

Continuing from a position of a finished game, in a new unranked game of the same deal.

The new game starts with the deal and the moves that led to the position, so its record can be verified. Its first event
names the game and the version from which it continues.
"""

import re
from collections.abc import Iterator

from aiohttp import web
from msgspec import UNSET
from msgspec.structs import replace

from cadogan import engine
from cadogan.server.core import ids
from cadogan.server.core.clock import Clock
from cadogan.server.core.errors import CommandReused, Conflict, NotFound
from cadogan.server.core.event_loop import TimeSlices
from cadogan.server.core.eventlog.events import GameDealt, Origin
from cadogan.server.core.fairness.sealed_deals import SealedDeals
from cadogan.server.core.games import game_state
from cadogan.server.core.games.access import Access
from cadogan.server.core.games.competition_rules import RulesRegistry
from cadogan.server.core.games.game_messages import game_card
from cadogan.server.core.games.game_reader import GameOutlines, GameReader
from cadogan.server.core.games.game_state import GameState, Step
from cadogan.server.core.games.history_bodies import MIN_COST, Charge
from cadogan.server.core.web.long_answers import charge_of
from cadogan.server.core.web.requests import (
    asker,
    current_player,
    id_to_create,
    json_response,
    read_body,
    require_player,
    server_of,
)
from cadogan.server.subjects.analysis.findings import Run, read_run
from cadogan.server.subjects.casual import CasualGames
from cadogan.server.subjects.games.game_commands import GameCommands
from cadogan.wire.analysis import PlayOn
from cadogan.wire.bodies import Game
from cadogan.wire.messages import Play


class Continuations:
    """Starts games that continue from others, on one node."""

    def __init__(
        self,
        outlines: GameOutlines,
        reader: GameReader,
        deals: SealedDeals,
        access: Access,
        casual_games: CasualGames,
        commands: GameCommands,
        rules: RulesRegistry,
        now: Clock,
    ) -> None:
        self._outlines = outlines
        self._reader = reader
        self._deals = deals
        self._access = access
        self._casual_games = casual_games
        self._commands = commands
        self._rules = rules
        self._now = now
        self._slices = TimeSlices()

    async def begin(
        self,
        player: str,
        game_id: str,
        version: int,
        charge: Charge,
        new_id: str | None = None,
        *,
        competition: str | None = None,
        about: str | None = None,
    ) -> GameState:
        """Start a game from another game's position at a version, or return the one with the id `new_id`.

        It is for practice, unless `competition` and `about` say what it is played for.

        Raises NotFound; SpoilerEmbargo; Conflict if the game is not over, is too long, has another rules version, or
        has no move left at this version; RateLimited; or TooMany for a player with too many unfinished games.
        """
        original = await self._outlines.get(game_id)
        await self._access.require_analysis(original, player)
        if not 1 <= version <= original.version:
            raise NotFound("This game has no such version.")
        if original.dealt.rules_version != engine.game(original.dealt.game).rules_version:
            raise Conflict("This game was played by an earlier version of its rules.")
        secret = await self._deals.get_secret(original.dealt.deal)
        if secret is None:
            raise NotFound("There is no such deal.")
        charge(max(MIN_COST, version))
        run = await read_run(self._reader, original.id, version)
        origin = Origin(original.id, version, len(run.moves_left()) if competition else UNSET)
        of_no_day = {"day": None, "slot": None} if competition else {}
        unranked = {"race": None, "ranked": False, "competition": competition, "about": about, **of_no_day}
        dealt = replace(original.dealt, player=player, origin=origin, **unranked)
        new_id = new_id or ids.new_id()
        async with self._casual_games.room_for(player, new_id):
            game = await self._commands.begin(await self._play_again(new_id, dealt, secret, run))
        if (game.player, game.dealt.origin) != (player, origin):
            raise CommandReused("This Idempotency-Key has been used for another request.")
        return game

    async def _play_again(self, game_id: str, dealt: GameDealt, secret: bytes, run: Run) -> list[Step]:
        """Return the steps of a new game up to the last position of a run, without moves that were taken back."""
        now = self._now()
        steps = game_state.deal(game_id, dealt, secret, now, self._rules)

        def play() -> Iterator[None]:
            for number, move in enumerate(run.moves_left()):
                before = steps[-1].after
                command = Play(id=str(number), game=game_id, version=before.version, move=move.text)
                steps.extend(game_state.decide(before, command, now))
                yield

        await self._slices.run(play())
        if steps[-1].after.over:
            raise Conflict("No move is left in this position: play on from an earlier one.")
        return steps


async def _asker(request: web.Request) -> str | None:
    player = await current_player(request)
    return player.id if player else None


_VERSION = re.compile("[1-9][0-9]{0,8}", re.ASCII)


async def show_analysis(request: web.Request) -> web.Response:
    """Answer with the analysis of a game, complete or partial."""
    player, charge = await _asker(request), await charge_of(request)
    return json_response(await server_of(request).analyses.show(request.match_info["id"], charge, player))


async def analyse_game(request: web.Request) -> web.Response:
    """Request the analysis of a game if nobody did yet, and answer with it."""
    player, charge = await require_player(request), await charge_of(request)
    return json_response(await server_of(request).analyses.ask(player.id, request.match_info["id"], charge))


async def show_way(request: web.Request) -> web.Response:
    """Answer with a winning line from a position."""
    version = request.match_info["version"]
    if not _VERSION.fullmatch(version):
        raise NotFound("This game has no such version.")
    player, charge = await _asker(request), await charge_of(request)
    return json_response(
        await server_of(request).analyses.winning_line(request.match_info["id"], int(version), charge, player)
    )


async def compare_games(request: web.Request) -> web.Response:
    """Answer with a comparison of two runs of one deal."""
    player, charge, games = await _asker(request), await charge_of(request), request.match_info
    return json_response(await server_of(request).analyses.compare(games["id"], games["other"], charge, player))


async def play_on(request: web.Request) -> web.Response:
    """Start a new game at a position of a finished one, and answer with it."""
    server = server_of(request)
    player, charge = await require_player(request), await charge_of(request)
    wanted = await read_body(request, PlayOn)
    server.limits.deal.take(asker(request, player))
    begun = await server.continuations.begin(
        player.id, request.match_info["id"], wanted.version, charge, id_to_create(request, player)
    )
    return json_response(Game(game=game_card(begun, player)))
