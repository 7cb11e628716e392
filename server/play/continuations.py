"""Continuing from a position of a finished game, in a new unranked game of the same deal.

The new game starts with the deal and the moves that led to the position, so its record can be verified. Its first event
names the game and the version from which it continues.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from cadogan import engine
from cadogan.server.analysis.run import Run, read_run
from cadogan.server.competitions.casual.games import CasualGames
from cadogan.server.core import ids
from cadogan.server.core.clock import Clock
from cadogan.server.core.errors import CommandReused, Conflict, NotFound
from cadogan.server.core.time_slices import TimeSlices
from cadogan.server.eventlog.events import GameDealt, Origin
from cadogan.server.fairness.sealed_deals import SealedDeals
from cadogan.server.games import game_state
from cadogan.server.games.competition_rules import RulesRegistry
from cadogan.server.games.game_outlines import GameOutlines
from cadogan.server.games.game_reader import GameReader
from cadogan.server.games.game_state import GameState, Step
from cadogan.server.play.access import Access
from cadogan.server.play.game_commands import GameCommands
from cadogan.server.play.history_bodies import MIN_COST, Charge
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
        self, player: str, game_id: str, version: int, charge: Charge, new_id: str | None = None
    ) -> GameState:
        """Start a game from another game's position at a version, or return the one with the id `new_id`.

        Raises NotFound; SpoilerEmbargo; Conflict if the game is not over, is too long, has another rules version, or
        has no move left at this version; RateLimited; or TooMany for a player with too many unfinished games.
        """
        original = await self._outlines.get(game_id)
        await self._access.require_analysis(original)
        if not 1 <= version <= original.version:
            raise NotFound("This game has no such version.")
        if original.dealt.rules_version != engine.game(original.dealt.game).rules_version:
            raise Conflict("This game was played by an earlier version of its rules.")
        secret = await self._deals.get_secret(original.dealt.deal)
        if secret is None:
            raise NotFound("There is no such deal.")
        await self._casual_games.require_room(player)
        charge(max(MIN_COST, version))
        run = await read_run(self._reader, original.id, version)
        origin = Origin(original.id, version)
        casual = {"race": None, "ranked": False, "competition": None, "about": None}
        dealt = replace(original.dealt, player=player, origin=origin, **casual)
        steps = await self._play_again(new_id or ids.new_id(), dealt, secret, run)
        game = await self._commands.begin(steps)
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
