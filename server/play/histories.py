"""Games as they went: replay, pace and record, each for who may have it; and the list of games being played."""

from clients.wire.bodies import LiveGame, Record, Replay
from clients.wire.races import Pace
from server.core.clock import Clock
from server.core.errors import Conflict, SpoilerEmbargo
from server.games import game_messages, game_record, pace
from server.games.game_cache import GameCache
from server.games.game_index import GameIndex
from server.games.visibility import Sight
from server.play.access import Access
from server.players.player_cache import PlayerCache

LIVE_MILLISECONDS = 15 * 60 * 1000
"""A game is live if something happened in it in the last so many milliseconds."""
MAX_AGE_MILLISECONDS = 24 * 60 * 60 * 1000
"""Games that began longer ago are not looked for among the live ones."""
MAX_LIVE = 50


class Histories:
    """What one node tells of whole games. A player of None is somebody who is not signed in."""

    def __init__(self, cache: GameCache, access: Access, index: GameIndex, players: PlayerCache, now: Clock) -> None:
        self._cache = cache
        self._access = access
        self._index = index
        self._players = players
        self._now = now

    async def replay(self, player: str | None, game_id: str) -> Replay:
        """Return the game from its deal to where it is.

        Raises NotFound, or SpoilerEmbargo while its cards are not for the player.
        """
        await self._access.require_cards(player, await self._cache.get(game_id))
        steps = await self._cache.history(game_id)
        owner = await self._players.player(steps[0].after.player)
        dealt = game_messages.view(steps[0].after, Sight.BOARD, owner, now=steps[0].after.dealt_at)
        return Replay(dealt=dealt, messages=[game_messages.step_message(step) for step in steps[1:]])

    async def pace(self, player: str | None, game_id: str) -> Pace:
        """Return how a finished game went. Raises NotFound, SpoilerEmbargo as `replay`, or Conflict before its end."""
        await self._access.require_cards(player, await self._cache.get(game_id))
        steps = await self._cache.history(game_id)
        game = steps[-1].after
        if not game.over:
            raise Conflict("Its pace can be had when the game is over.")
        card = game_messages.game_card(game, await self._players.player(game.player))
        return Pace(game=card, points=pace.pace_points(steps))

    async def record(self, game_id: str) -> Record:
        """Return the record that proves the game. Raises NotFound, SpoilerEmbargo, or Conflict while it is secret."""
        game = await self._cache.get(game_id)
        if not await self._access.may_have_record(game):
            if game.competition.is_shared:
                raise SpoilerEmbargo("The record can be had when the day has closed, or the race is over.")
            raise Conflict("The record can be had when the game is over.")
        return game_record.build_record(
            game_id, game.secret, [step.sealed for step in await self._cache.history(game_id)]
        )

    async def live_games(self) -> list[LiveGame]:
        """Return the games in which something happened lately, the latest first."""
        now = self._now()
        games = []
        for game_id in await self._index.games_in_progress(now - MAX_AGE_MILLISECONDS, MAX_LIVE):
            game = await self._cache.get(game_id)
            if not game.over and now - game.changed_at < LIVE_MILLISECONDS:
                games.append(game)
        games.sort(key=lambda game: game.changed_at, reverse=True)
        owners = await self._players.players(game.player for game in games)
        return [game_messages.live_game(game, owners[game.player], now) for game in games]
