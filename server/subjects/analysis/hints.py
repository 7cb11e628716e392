"""Hints over the socket: a useful move, and whether it keeps the win where a search has found that.

Without a search a hint depends only on what the player sees (`cadogan.engine.hints`). Where players may ask whether a
position can still be won, and a search has found a winning line for that, hidden cards included, its next move is the
hint as long as they follow it.
"""

from collections.abc import Iterator
from itertools import islice

from cadogan.engine import Move, State
from cadogan.engine.hints import search_hint
from cadogan.engine.state import pack_state
from cadogan.server.core.errors import NoHints, StaleVersion
from cadogan.server.core.event_loop import TimeSlices
from cadogan.server.core.games.access import Access
from cadogan.server.core.games.game_cache import GameCache
from cadogan.server.core.games.game_state import GameState
from cadogan.server.core.rate_limits import AddressLimit
from cadogan.server.subjects.analysis.decided_positions import (
    DecidedPositions,
    moves_along,
    packed_past,
    packed_position_key,
    position_key,
)
from cadogan.wire.messages import AskForHint, Hint

HINTS_PER_SECOND = 1
HINTS_AT_ONCE = 5
"""Hints that one player may request per second and in one burst: a search is slower than any other request."""
MAX_EARLIER_POSITIONS = 100
"""A hint does not return to this many of the previous positions, and follows a line found at most so many moves ago."""


class Hints:
    """The hints of one node."""

    def __init__(self, cache: GameCache, access: Access, positions: DecidedPositions) -> None:
        self._cache = cache
        self._access = access
        self._positions = positions
        self._limit = AddressLimit(HINTS_PER_SECOND, HINTS_AT_ONCE)
        self._slices = TimeSlices()

    async def answer(self, player: str, asked: AskForHint) -> Hint:
        """Return a useful move in the player's own game.

        Raises Unauthorized, NotFound, NotYourSeat, GameOver, NoHints if the game is ranked, StaleVersion, or
        RateLimited.
        """
        game = await self._cache.get_own(player, asked.game, asked.version)
        if not game.competition.may_have_hints(game.ranked):
            raise NoHints("There are no hints in ranked games and races, so that they are the same for everybody.")
        if asked.version != game.version:
            raise StaleVersion("The game has moved on.", version=game.version)
        self._limit.take(player)
        may_know = await self._access.may_ask_if_winnable(player, game)
        text: str | None = await self._next_of_known_win(game) if may_know else None
        keeps_win: bool | None = True
        if text is None:
            move = await self._find(game)
            text = move.text if move else None
            keeps_win = await self._keeps_win(game, move) if move and may_know else None
        return Hint(id=asked.id, game=game.id, version=game.version, move=text, keeps_win=keeps_win)

    async def _next_of_known_win(self, game: GameState) -> str | None:
        """Return the next move of a winning line that was found, and that the game has followed since."""
        line = [pack_state(game.position.state), *packed_past(game, MAX_EARLIER_POSITIONS)]
        keys = [packed_position_key(game.rules, game.seed, packed) for packed in line]
        known = await self._positions.get(keys)
        for ago, key in enumerate(keys):
            won = known.get(key)
            if won and len(won.line) > ago and moves_along(game, line[:ago], line[ago], won) == ago:
                return won.line[ago]
        return None

    async def _keeps_win(self, game: GameState, move: Move) -> bool | None:
        """Return whether the position after a move can be won; None if no search has found that."""
        key = position_key(game.rules, game.seed, game.rules.play_legal(game.position.state, move, game.seed).state)
        found = (await self._positions.get([key])).get(key)
        return found.verdict == "won" if found and found.verdict != "unknown" else None

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
