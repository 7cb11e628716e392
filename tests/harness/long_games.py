"""Long games, created directly: the rules decide their moves, which are appended to the log without a client."""

from collections.abc import Sequence

from cadogan.server.app import Server
from cadogan.server.core.eventlog.event_store import Append, NewEvent
from cadogan.server.core.games import game_state
from cadogan.server.core.games.game_state import GameState, Step
from cadogan.wire.messages import Play, TakeBack

EVENTS_PER_APPEND = 500


async def lengthen(server: Server, game_id: str, version: int) -> None:
    """Play a move and take it back until the game has this version. The game must not be in use."""
    server.cache.drop(game_id)
    game = await server.cache.read(game_id)
    while game.version < version:
        steps = _next_steps(game, min(EVENTS_PER_APPEND, version - game.version))
        await server.store.append(Append(game.stream, None, tuple(map(_sealed, steps))))
        game = steps[-1].after


def _next_steps(game: GameState, count: int) -> Sequence[Step]:
    steps: list[Step] = []
    for _ in range(count):
        if game.can_take_back:
            taken_back = TakeBack(id="t", game=game.id, version=game.version)
            steps += game_state.decide(game, taken_back, game.changed_at + 10)
        else:
            play = Play(id="p", game=game.id, version=game.version, move=next(iter(game.position.legal)))
            steps += game_state.decide(game, play, game.changed_at + 10)
        game = steps[-1].after
    return steps


def _sealed(step: Step) -> NewEvent:
    sealed = step.sealed
    return NewEvent(sealed.version, sealed.type, sealed.schema, sealed.data, sealed.recorded_at, sealed.hash)
