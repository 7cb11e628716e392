"""Two players who do not think ahead: the careless one plays any legal move, the greedy one plays for the score."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from cadogan.engine.game import Game
from cadogan.engine.moves import Move
from cadogan.engine.state import State

MAX_MOVES = 500
"""Number of moves after which a player stops."""
_FACTOR, _MODULUS = 48_271, 2**31 - 1
"""Park and Miller's generator of numbers, which gives the same choices everywhere (Minimal Standard, 1993)."""

Player = Callable[[Game, State, set[State], bytes], Sequence[Move]]
"""Returns the moves that the player prefers equally, or none. The set holds the positions of the game so far."""


class Run(NamedTuple):
    """How a player's game ended: whether it was won, and with which score."""

    won: bool
    score: int


def careless(game: Game, state: State, known: set[State], seed: bytes) -> Sequence[Move]:
    """Play any legal move."""
    return game.legal_moves(state)


def greedy(game: Game, state: State, known: set[State], seed: bytes) -> Sequence[Move]:
    """Play a move that raises the score most or, if none does, one to a position that is new in this game."""
    reached = [(move, game.play_legal(state, move, seed).state) for move in game.legal_moves(state)]
    scored = [(move, game.score(after)) for move, after in reached if after not in known]
    best = max((score for _, score in scored), default=0)
    return [move for move, score in scored if score == best or best <= game.score(state)]


def play_deal(game: Game, seed: bytes, player: Player) -> Run:
    """Play the deal of this seed until it is won, or no move is left, or after `MAX_MOVES` moves.

    The choices follow from the seed, so the same call ends in the same way everywhere.
    """
    state, numbers = game.deal(seed), _numbers(seed)
    known = {state}
    for _ in range(MAX_MOVES):
        if game.won(state):
            break
        moves = player(game, state, known, seed)
        if not moves:
            break
        state = game.play_legal(state, moves[next(numbers) % len(moves)], seed).state
        known.add(state)
    return Run(game.won(state), game.score(state))


def _numbers(seed: bytes) -> Iterator[int]:
    number = int.from_bytes(seed[:8], "big") % (_MODULUS - 1) + 1
    while True:
        number = number * _FACTOR % _MODULUS
        yield number
