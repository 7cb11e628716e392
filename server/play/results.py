"""Results: how a finished game ended, and how it compares with the other runs of its deal and with earlier games."""

from cadogan.engine import game as rules_of
from cadogan.server.core import dates
from cadogan.server.core.clock import Clock
from cadogan.server.core.errors import Conflict
from cadogan.server.eventlog.projections import EntryRow
from cadogan.server.games.game_messages import game_card
from cadogan.server.games.game_outline import GameOutline
from cadogan.server.games.game_outlines import GameOutlines
from cadogan.server.leaderboards.names import board_for, day_board, deal_board
from cadogan.server.leaderboards.queries import BoardPlace, BoardQueries
from cadogan.server.leaderboards.struck_runs import DisqualifiedRuns, shown_strike
from cadogan.server.play.access import Access
from cadogan.server.players.groups import Groups
from cadogan.server.players.player_cache import PlayerCache
from cadogan.server.players.profiles import Profiles
from cadogan.server.players.streaks import count_streak
from cadogan.wire.results import GameResult, PastGames, Place


class Results:
    """The results of finished games, from the leaderboards and the profiles.

    Results are public: they are on the leaderboards and hold no cards. Only the id of the best run is restricted to
    players who may see its cards.
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

        Raises NotFound, or Conflict before the game is over.
        """
        game = await self._outlines.get(game_id)
        finished, player = game.finished, game.player
        if finished is None:
            raise Conflict("Its result is available when the game is over.")
        earlier = await self._profiles.earlier_games(player, game.dealt.game, game.dealt_at + finished.milliseconds)
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
