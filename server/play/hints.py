"""Hints: access, rate limit and answer. `cadogan.engine.hints` chooses the move."""

from collections.abc import Iterator
from itertools import islice

from cadogan.engine import Move, State
from cadogan.engine.hints import search_hint
from cadogan.server.core.errors import GameOver, NoHints, NotYourSeat, StaleVersion, Unauthorized
from cadogan.server.core.rate_limits import AddressLimit
from cadogan.server.core.time_slices import TimeSlices
from cadogan.server.games.game_cache import GameCache
from cadogan.server.games.game_state import GameState
from cadogan.wire import messages as wire

HINTS_PER_SECOND = 1
HINTS_AT_ONCE = 5
"""Hints that one player may request per second and in one burst: a search is slower than any other request."""
MAX_EARLIER_POSITIONS = 100
"""A hint does not return to this many of the previous positions."""


class Hints:
    """The hints of one node."""

    def __init__(self, cache: GameCache) -> None:
        self._cache = cache
        self._limit = AddressLimit(HINTS_PER_SECOND, HINTS_AT_ONCE)
        self._slices = TimeSlices()

    async def answer(self, player: str, asked: wire.AskForHint) -> wire.Hint:
        """Return a useful move in the player's own game.

        Raises Unauthorized, NotFound, NotYourSeat, GameOver, NoHints if the game is ranked, StaleVersion, or
        RateLimited.
        """
        if not player:
            raise Unauthorized("Sign in first, or play as a guest.")
        game = await self._cache.get(asked.game)
        if game.player != player:
            raise NotYourSeat("This is somebody else's game.")
        if asked.version > game.version:
            game = await self._cache.get_latest(asked.game)
        if game.over:
            raise GameOver("This game is over.", version=game.version)
        if not game.competition.may_have_hints(game.ranked):
            raise NoHints("There are no hints in ranked games and races, so that they are the same for everybody.")
        if asked.version != game.version:
            raise StaleVersion("The game has moved on.", version=game.version)
        self._limit.take(player)
        move = await self._find(game)
        return wire.Hint(id=asked.id, game=game.id, version=game.version, move=move.text if move else None)

    async def _find(self, game: GameState) -> Move | None:
        found: list[Move | None] = []

        def search() -> Iterator[None]:
            earlier = islice(_earlier_positions(game), MAX_EARLIER_POSITIONS)
            found.append((yield from search_hint(game.rules, game.position.state, earlier)))

        await self._slices.run(search())
        return found[0]


def _earlier_positions(game: GameState) -> Iterator[State]:
    """Yield the positions before the present one, latest first, without those that were taken back."""
    past = game.past
    while past is not None:
        yield past.state(game.rules)
        past = past.before
