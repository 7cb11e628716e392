"""The results of finished games, compared with others; listing unfinished games, and ending idle ones."""

from typing import Protocol

import structlog
from msgspec.structs import asdict

from cadogan.engine import game as rules_of
from cadogan.server.core import dates
from cadogan.server.core.clock import Clock
from cadogan.server.core.clock_check import ClockCheck
from cadogan.server.core.errors import Conflict, RefusalError, SpoilerEmbargo
from cadogan.server.core.eventlog.background_tasks import as_unavailable
from cadogan.server.core.eventlog.projections import EntryRow
from cadogan.server.core.games import game_messages
from cadogan.server.core.games.access import Access
from cadogan.server.core.games.competition import Competitions
from cadogan.server.core.games.competition_rules import GameOutline
from cadogan.server.core.games.game_cache import GameCache
from cadogan.server.core.games.game_index import GameIndex, OldGame
from cadogan.server.core.games.game_messages import game_card
from cadogan.server.core.games.game_reader import GameOutlines
from cadogan.server.core.games.game_state import IDLE_MILLISECONDS, GameState
from cadogan.server.core.people import PlayerCache
from cadogan.server.core.ranking import board_for, day_board, deal_board
from cadogan.server.core.rate_limits import TokenBucket
from cadogan.server.subjects.leaderboards.disqualified_runs import DisqualifiedRuns, shown_strike
from cadogan.server.subjects.leaderboards.queries import BoardPlace, BoardQueries
from cadogan.server.subjects.players.groups import Groups
from cadogan.server.subjects.players.profiles import Profiles
from cadogan.server.subjects.players.sharing import count_streak
from cadogan.wire.bodies import UnfinishedGame
from cadogan.wire.results import GameResult, PastGames, Place
from cadogan.wire.values import Player


class Results:
    """The results of finished games, from the leaderboards and the profiles.

    Results are public, but for those that a competition withholds: they are on the leaderboards and hold no cards. The
    id of the best run is restricted to players who may see its cards.
    """

    def __init__(
        self,
        outlines: GameOutlines,
        boards: BoardQueries,
        disqualified_runs: DisqualifiedRuns,
        profiles: Profiles,
        groups: Groups,
        players: PlayerCache,
        access: Access,
        now: Clock,
    ) -> None:
        self._outlines = outlines
        self._boards = boards
        self._disqualified_runs = disqualified_runs
        self._profiles = profiles
        self._groups = groups
        self._players = players
        self._access = access
        self._now = now

    async def get(self, asker: str | None, game_id: str) -> GameResult:
        """Return the result of a game for the player `asker`; None if nobody is signed in.

        Raises NotFound, Conflict before the game is over, or SpoilerEmbargo while its result is withheld.
        """
        game = await self._outlines.get(game_id)
        finished, player = game.finished, game.player
        if finished is None:
            raise Conflict("Its result is available when the game is over.")
        withheld = await self._access.withheld_runs(asker, player)
        if game_id in withheld:
            raise SpoilerEmbargo("Its result is available when the standing is shown with the last round.")
        until = game.dealt_at + finished.milliseconds
        earlier = await self._profiles.earlier_games(player, game.dealt.game, until, withheld)
        streak = count_streak(await self._profiles.days_played(player), dates.day_of(self._now()))
        disqualified = (await self._disqualified_runs.among([game_id])).get(game_id)
        run = None if disqualified else next(iter(await self._boards.runs([game_id])), None)
        return GameResult(
            game=game_card(game, await self._players.player(player)),
            score=finished.score,
            maximum=rules_of(game.dealt.game).maximum,
            moves=finished.moves,
            milliseconds=finished.milliseconds,
            active=finished.active,
            streak=streak.current,
            points=None if run is None else run.points,
            place=None if run is None else await self._place(deal_board(run.deal), player),
            day_place=None if run is None else await self._place(day_board(run.day), player),
            friends_place=None if run is None or asker != player else await self._place_among_friends(run),
            past=None if earlier is None else PastGames(**earlier._asdict()),
            best_run=None if run is None else await self._best_run(asker, game),
            struck=shown_strike(disqualified) if disqualified else None,
        )

    async def _place(self, board: str, player: str) -> Place | None:
        return _wire_place(await self._boards.place(board_for(player, board), player))

    async def _place_among_friends(self, run: EntryRow) -> Place | None:
        """Return the rank on the deal's leaderboard among the player's friends; None without friends."""
        friends = await self._groups.friends(run.player)
        if not friends:
            return None
        board = board_for(run.player, deal_board(run.deal))
        ranked = await self._boards.ranked_among(board, [run.player, *friends])
        own = next((row for row in ranked if row.player == run.player), None)
        if own is None:
            return None
        behind = sum(row.rank > own.rank for row in ranked)
        return _wire_place(BoardPlace(own.rank, len(ranked), behind))

    async def _best_run(self, asker: str | None, game: GameOutline) -> str | None:
        """Return the id of the best run on the leaderboard, if it is another run and the player may see it."""
        _, first = await self._boards.page(board_for(game.player, deal_board(game.dealt.deal)), 0, 1)
        best = first[0].game_id if first else None
        if best is None or best == game.id:
            return None
        return best if await self._access.may_see_cards(asker, await self._outlines.get(best)) else None


def _wire_place(place: BoardPlace | None) -> Place | None:
    return None if place is None else Place(**place._asdict())


MAX_UNFINISHED_GAMES = 12
"""Maximum number of unfinished games in a player's list, latest first."""


class UnfinishedGames:
    """The lists of unfinished games on one node."""

    def __init__(
        self, index: GameIndex, cache: GameCache, competitions: Competitions, players: PlayerCache, now: Clock
    ) -> None:
        self._index = index
        self._cache = cache
        self._competitions = competitions
        self._players = players
        self._now = now

    async def of(self, player: str, reader: TokenBucket | None = None) -> list[UnfinishedGame]:
        """Return at most `MAX_UNFINISHED_GAMES` games that the player can resume, last played first.

        A casual game counts as started with its first move, a ranked run and a race game with the deal. Games in an
        unavailable part of the log are left out. Raises RateLimited like `GameCache.get`.
        """
        found: list[GameState] = []
        async for game_id in self._index.unfinished_games(player):
            try:
                game = await self._cache.get(game_id, reader)
            except Exception as error:
                if not self._index.store.is_partly_unavailable(error):
                    raise
            else:
                if await self._can_go_on(game):
                    found.append(game)
                    if len(found) == MAX_UNFINISHED_GAMES:
                        break
        owner, now = await self._players.player(player), self._now()
        return [_listed(game, owner, now) for game in sorted(found, key=lambda game: -game.changed_at)]

    async def _can_go_on(self, game: GameState) -> bool:
        if game.over or not (game.moves or game.dealt.ranked or game.dealt.race):
            return False
        try:
            await self._competitions.of(game).require_open(game, self._now())
        except RefusalError:
            return False
        return True


def _listed(game: GameState, owner: Player, now: int) -> UnfinishedGame:
    dealt = game.dealt
    return UnfinishedGame(
        **asdict(game_messages.live_game(game, owner, now)),
        mode=game.competition.mode(dealt),
        maximum=game.rules.maximum,
        changed_at=game.changed_at,
        race=dealt.race,
        competition=dealt.competition,
        about=dealt.about,
    )


log = structlog.stdlib.get_logger("cadogan.games")
GAMES_PER_BATCH = 50
"""Unfinished games that one query reads."""
BATCH_PAUSE_SECONDS = 1.0
"""Seconds between two batches, to leave the database to other work."""
PAUSE_SECONDS = 3600.0
"""Seconds after which all unfinished games are looked at again."""


class Commands(Protocol):
    """The game command that ends an idle game."""

    async def end_idle(self, game_id: str, at: int) -> GameState:
        """Return the game, and end it at the time `at` if it is idle."""


class IdleGames:
    """Ends the casual games, practice runs and tries at puzzles that nobody has touched for 30 days, on one node.

    Such a game is out of time and does not count: it is in no statistics, as if it had not been played. Every node
    looks for them, a batch at a time. The log's unique versions accept only one end of a game, so it does not matter
    which node writes it, and a batch that was interrupted is done again.
    """

    def __init__(self, index: GameIndex, cache: GameCache, commands: Commands, clocks: ClockCheck, now: Clock) -> None:
        self._index = index
        self._cache = cache
        self._commands = commands
        self._clocks = clocks
        self._now = now
        self._last = OldGame()

    async def run_due(self) -> float | None:
        """End the idle games of the next batch; return the seconds until the one after it."""
        if not await self._clocks.agree():
            return PAUSE_SECONDS
        now = self._now()
        batch = await self._index.old_unranked_games(now - IDLE_MILLISECONDS, self._last, GAMES_PER_BATCH)
        for game_id in await self._index.changed_until([game.id for game in batch], now - IDLE_MILLISECONDS):
            await self._end(game_id, now)
        self._last = batch[-1] if len(batch) == GAMES_PER_BATCH else OldGame()
        return PAUSE_SECONDS if self._last == OldGame() else BATCH_PAUSE_SECONDS

    async def _end(self, game_id: str, now: int) -> None:
        try:
            await self._commands.end_idle(game_id, now)
        except Exception as error:
            if as_unavailable(error) is not None:
                raise
            log.exception("game_not_ended", game=game_id)  # the others are ended nevertheless
        else:
            self._cache.drop_unused(game_id)
