"""Shortens a winning line: searches find some win, often with detours."""

from collections.abc import Sequence

from cadogan.engine.game import Game
from cadogan.engine.moves import Move
from cadogan.engine.solver.problem import Trail
from cadogan.engine.solver.steps import Steps, run_steps
from cadogan.engine.state import State

FIRST_WINDOW_NODES = 50
"""Nodes searched from each position of the line in the first pass; each later pass doubles this."""


def shorten(game: Game, start: State, seed: bytes, line: Sequence[Move], nodes: int) -> tuple[Move, ...]:
    """Return a winning line that is at most as long, after searching at most `nodes` nodes.

    From one position of the line after the other, a breadth-first search looks for a shorter way to a later position of
    the line, or to any win. With enough nodes the first of these searches is exhaustive, and the line is a shortest
    one. The answer depends on the arguments only. Raises EngineError if the line is not legal, ValueError if it does
    not win.
    """
    return run_steps(shorten_in_steps(game, start, seed, line, nodes))


def shorten_in_steps(
    game: Game, start: State, seed: bytes, line: Sequence[Move], nodes: int
) -> Steps[tuple[Move, ...]]:
    """Do the same as `shorten`, and yield after the search from each position of the line."""
    shorter = _Line(game, start, seed, line)
    window = FIRST_WINDOW_NODES
    while nodes > 0 and shorter.moves:
        at = 0
        is_complete = True
        while at < len(shorter.moves) and nodes > 0:
            searched, saw_all = shorter.improve_from(at, min(window, nodes))
            nodes -= searched
            is_complete = is_complete and saw_all
            at += 1
            yield
        if is_complete:
            break
        window *= 2
    return tuple(shorter.moves)


class _Line:
    """A winning line with its positions: `places` maps a position to its index on the line."""

    def __init__(self, game: Game, start: State, seed: bytes, line: Sequence[Move]) -> None:
        self._game = game
        self._seed = seed
        self._lay(start, line)
        if not game.won(self._positions[-1]):
            raise ValueError("the line does not win")

    def _lay(self, start: State, line: Sequence[Move]) -> None:
        """Follow the line up to its first win, removing loops between two visits of one position."""
        moves, positions, places = list[Move](), [start], {start: 0}
        for move in line:
            if self._game.won(positions[-1]):
                break
            after = self._game.play(positions[-1], move, self._seed).state
            if (seen := places.get(after)) is not None:
                for forgotten in positions[seen + 1 :]:
                    del places[forgotten]
                del moves[seen:], positions[seen + 1 :]
                continue
            moves.append(move)
            positions.append(after)
            places[after] = len(moves)
        self.moves, self._positions, self._places = moves, positions, places

    def improve_from(self, at: int, nodes: int) -> tuple[int, bool]:
        """Replace a part of the line that begins at move `at` by the shortcut that saves most, if one is found.

        Returns how many nodes were searched, and whether these were all reachable ones.
        """
        game, seed, end = self._game, self._seed, len(self.moves)
        first = self._positions[at]
        known, waiting = {first}, list[tuple[State, Trail | None]]([(first, None)])
        best: Trail | None = None
        best_place = best_gain = searched = 0
        for state, before in waiting:
            length = before.length + 1 if before else 1
            if searched == nodes or at + length + best_gain >= end:
                break  # no shortcut of this length can save more
            searched += 1
            for move in game.legal_moves(state):
                after = game.successor(state, move, seed)
                if after in known:
                    continue
                known.add(after)
                trail = Trail(before, move, length)
                place = end if game.won(after) else self._places.get(after, 0)
                if place - at - length > best_gain:
                    best, best_place, best_gain = trail, place, place - at - length
                waiting.append((after, trail))
        else:
            return self._take(at, best, best_place, searched), True
        return self._take(at, best, best_place, searched), searched < nodes

    def _take(self, at: int, shortcut: Trail | None, place: int, searched: int) -> int:
        if shortcut is not None:
            self._lay(self._positions[0], [*self.moves[:at], *shortcut.line(), *self.moves[place:]])
        return searched
