"""The games that a player can resume."""

from msgspec.structs import asdict

from cadogan.server.competitions.competition import Competitions
from cadogan.server.core.clock import Clock
from cadogan.server.core.errors import RefusalError
from cadogan.server.core.rate_limits import TokenBucket
from cadogan.server.games import game_messages
from cadogan.server.games.game_cache import GameCache
from cadogan.server.games.game_index import GameIndex
from cadogan.server.games.game_state import GameState
from cadogan.server.players.player_cache import PlayerCache
from cadogan.wire.bodies import UnfinishedGame
from cadogan.wire.values import Player

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
                if not self._index.store.is_partly_away(error):
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
