"""The door to the library, by ctypes: a position goes in, and a verdict comes out.

Every call leaves the interpreter free for other threads. A search that is no longer wanted ends with its generator.
"""

import ctypes
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from cadogan.engine.compiled.building import digest_sources
from cadogan.engine.compiled.rules import verbs_of
from cadogan.engine.game import Game
from cadogan.engine.moves import Move, write_move
from cadogan.engine.shuffle import draw_order
from cadogan.engine.solver.estimate import turns_home
from cadogan.engine.solver.solution import SOLVER_VERSION, Solution, Verdict
from cadogan.engine.solver.solve import require_version
from cadogan.engine.solver.steps import Steps
from cadogan.engine.state import State

STEP_NODES = 1_000
"""About how many nodes are searched between two pauses: some milliseconds."""
_MOVE_BYTES = 11
_MOST_MOVES = 8_192
_VERDICTS: dict[int, Verdict] = {1: "won", 2: "lost", 3: "unknown"}
_DrawOrder = ctypes.CFUNCTYPE(None, ctypes.c_char_p, ctypes.c_int32, ctypes.POINTER(ctypes.c_int32))


class LibraryRefused(Exception):
    """The library cannot be used; the message has the reason."""


class SearchFailed(Exception):
    """The library could not search this position, for example because memory ran out."""


class Successor(NamedTuple):
    """A move with the position after it, and what is asked of that.

    `score`, `home` and `blocked` count points, cards at home and blocked cards; `is_hopeless` is whether the game
    proves that it cannot be won.
    """

    move: Move
    state: State
    score: int
    home: int
    is_won: bool
    blocked: float
    is_hopeless: bool


class Library:
    """An open library. Raises LibraryRefused if it is not there, or was made from other rules or another solver."""

    def __init__(self, path: Path) -> None:
        try:
            self._door = ctypes.CDLL(str(path))
            self._door.cadogan_digest.restype = ctypes.c_char_p
            found = self._door.cadogan_digest().decode()
        except (OSError, AttributeError) as error:
            raise LibraryRefused(f"there is no library of the compiled rules: {error}") from None
        if found != digest_sources():
            raise LibraryRefused(f"{path} was made from other rules or another solver: build it again")
        for name in ("cadogan_begin", "cadogan_look"):
            getattr(self._door, name).restype = ctypes.c_void_p
        for name in ("cadogan_end", "cadogan_leave"):
            getattr(self._door, name).argtypes = [ctypes.c_void_p]
            getattr(self._door, name).restype = None
        self._door.cadogan_run.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p]
        self._door.cadogan_line.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        self._door.cadogan_moves.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int]
        self._door.cadogan_after.argtypes = [ctypes.c_void_p, ctypes.c_char_p, *[ctypes.c_void_p] * 4]

    def has(self, game: Game) -> bool:
        """Whether this game could be translated."""
        return bool(self._door.cadogan_has(game.slug.encode()))

    def solve_in_steps(
        self, game: Game, state: State, seed: bytes, nodes: int, positions: int, version: int = SOLVER_VERSION
    ) -> Steps[Solution]:
        """Do what `cadogan.engine.solver.solve_in_steps` does, with the same answer. Raises SearchFailed."""
        require_version(version)
        inputs = _Inputs(game, state, seed, version)
        limits = (ctypes.c_int64(nodes), ctypes.c_int64(positions), ctypes.c_int(version))
        handle = self._door.cadogan_begin(*inputs.arguments, *limits)
        if not handle:
            raise SearchFailed(f"{game.slug}: the search cannot begin")
        facts = (ctypes.c_int64 * 4)()
        try:
            while not (outcome := self._door.cadogan_run(handle, STEP_NODES, facts)):
                yield
            if outcome not in _VERDICTS:
                raise SearchFailed(f"{game.slug}: the search failed")
            searched, deepest, home, length = facts
            line = ctypes.create_string_buffer(max(1, length * _MOVE_BYTES))
            self._door.cadogan_line(handle, line)
            return Solution(_VERDICTS[outcome], _read_moves(game, line.raw, length), searched, deepest, home)
        finally:
            self._door.cadogan_end(handle)

    def successors(self, game: Game, state: State, seed: bytes) -> list[Successor]:
        """Return every legal move with what follows, in the order of `Game.legal_moves`. Raises SearchFailed."""
        inputs = _Inputs(game, state, seed, SOLVER_VERSION)
        handle = self._door.cadogan_look(*inputs.arguments, ctypes.c_int(SOLVER_VERSION))
        if not handle:
            raise SearchFailed(f"{game.slug}: the library does not take this position")
        try:
            moves = ctypes.create_string_buffer(_MOST_MOVES * _MOVE_BYTES)
            count = self._door.cadogan_moves(handle, moves, _MOST_MOVES)
            if not 0 <= count <= _MOST_MOVES:
                raise SearchFailed(f"{game.slug}: {count} moves")
            return [
                self._successor(game, handle, one, moves.raw[at * _MOVE_BYTES :][:_MOVE_BYTES])
                for at, one in enumerate(_read_moves(game, moves.raw, count))
            ]
        finally:
            self._door.cadogan_leave(handle)

    def _successor(self, game: Game, handle: int, move: Move, written: bytes) -> Successor:
        sizes = (ctypes.c_uint8 * len(game.piles))()
        cards = (ctypes.c_uint8 * len(game.declaration.pack))()
        counters = (ctypes.c_int32 * (len(game.counters) + 1))()
        facts = (ctypes.c_int64 * 5)()
        if self._door.cadogan_after(handle, written, sizes, cards, counters, facts):
            raise SearchFailed(f"{game.slug}: {move} failed")
        left: Iterator[int] = iter(cards)
        piles = tuple(tuple(next(left) for _ in range(size)) for size in sizes)
        score, home, won, halves, hopeless = facts
        after = State(piles, tuple(counters[: len(game.counters)]))
        return Successor(move, after, score, home, bool(won), halves / 2, bool(hopeless))


class _Inputs:
    """What the door is told of a position, kept alive as long as the library may ask for the order of a shuffle."""

    def __init__(self, game: Game, state: State, seed: bytes, version: int) -> None:
        def draw(label: bytes, count: int, places: Any) -> None:
            for at, place in enumerate(draw_order(count, seed, label.decode())):
                places[at] = place

        self.arguments = (
            ctypes.c_char_p(game.slug.encode()),
            bytes(map(len, state.piles)),
            bytes(chain.from_iterable(state.piles)),
            (ctypes.c_int32 * (len(state.counters) + 1))(*state.counters),
            bytes(turns_home(game, state, version)),
            _DrawOrder(draw),
        )


def _read_moves(game: Game, written: bytes, count: int) -> tuple[Move, ...]:
    verbs, moves = verbs_of(game), []
    for at in range(0, count * _MOVE_BYTES, _MOVE_BYTES):
        verb, cards, piles = written[at : at + 3]
        named = tuple(written[at + 3 : at + 3 + piles])
        moves.append(game.move(write_move(verbs[verb], named, cards, game.piles).text))
    return tuple(moves)
