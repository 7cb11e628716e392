"""A player who does not see the face-down cards and does not know how later shuffles will fall.

The policy is a vote of sampled positions, known as determinization or perfect information Monte Carlo; for Klondike see
Bjarnason, Fern and Tadepalli, *Lower Bounding Klondike Solitaire with Monte-Carlo Planning* (ICAPS 2009):

1. Sample `SAMPLES` positions that agree with everything the player knows, each with later shuffles of its own, and
search each of them for a win with `NODES` nodes. If every card is known, search the position itself with all of these
nodes.
2. Each line that wins is a vote for its first move. Follow the first line for the move with the most votes, until
something becomes known that was not, or a shuffle falls in another way.
3. If no line wins, play the hint (`cadogan.engine.hints`) until something becomes known.
4. Give up if every sampled position is lost, if there is no hint or nothing became known in `MOST_HINTS` hints, or
after `MOST_MOVES` moves.

The player is given knowledge only (`cadogan.engine.odds.knowledge`), never a position.
"""

from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from typing import NamedTuple

from cadogan.engine.game import Game
from cadogan.engine.hints import find_hint
from cadogan.engine.moves import Move
from cadogan.engine.odds.knowledge import agrees, count_unknown, first_knowledge, know_after, sample_position
from cadogan.engine.solver.solution import Solution
from cadogan.engine.solver.solve import solve
from cadogan.engine.state import State

POLICY_VERSION = 1
"""Increase it with every change that can alter a move of the player."""
SAMPLES = 8
"""Number of positions that are sampled whenever something has become known."""
NODES = 500
"""Nodes of the search in each of them."""
MOST_HINTS = 100
"""Number of hints in a row, without anything new, after which the player gives up."""
MOST_MOVES = 1_000
"""Number of moves after which the player gives up."""

Search = Callable[[Game, State, bytes, int], Solution]
"""`cadogan.engine.solver.solve`, or a function with the same answers."""


class _Sample(NamedTuple):
    position: State
    shuffles: bytes
    found: Solution


class FairPlayer:
    """Plays one deal by the policy. `seed`, of 32 bytes, determines the samples; `searched` counts nodes."""

    def __init__(self, game: Game, known: State, seed: bytes, search: Search = solve) -> None:
        self.searched = 0
        self._game, self._known, self._seed, self._search = game, known, seed, search
        self._looks = 0
        self._must_look = True
        self._is_hopeless = False
        self._expected, self._shuffles = known, seed
        self._line: tuple[Move, ...] = ()
        self._earlier: list[State] = []

    def choose(self) -> Move | None:
        """Return the next move, or None if the player gives up."""
        if self._must_look:
            self._look()
        if self._is_hopeless:
            return None
        if self._line:
            return self._line[0]
        return find_hint(self._game, self._known, self._earlier) if len(self._earlier) < MOST_HINTS else None

    def learn(self, move: Move, known: State) -> None:
        """Update the knowledge after a move that `choose` returned."""
        self._expected = self._game.play_legal(self._expected, move, self._shuffles).state
        self._must_look = count_unknown(known) != count_unknown(self._known) or not agrees(self._expected, known)
        self._line = self._line[1:]
        self._earlier.append(self._known)
        self._known = known

    def _look(self) -> None:
        """Sample and search positions, and plan the next moves by them."""
        is_open = not count_unknown(self._known)
        samples = [
            self._sample(number, NODES * SAMPLES if is_open else NODES) for number in range(1 if is_open else SAMPLES)
        ]
        self._looks += 1
        self._must_look = False
        self._earlier = []
        self._is_hopeless = all(one.found.verdict == "lost" for one in samples)
        votes = Counter(one.found.line[0] for one in samples if one.found.line)
        best = max(samples, key=lambda one: votes[one.found.line[0]] if one.found.line else 0)
        self._expected, self._shuffles, self._line = best.position, best.shuffles, best.found.line

    def _sample(self, number: int, nodes: int) -> _Sample:
        label = f"{self._looks}/{number}"
        position = sample_position(self._game, self._known, self._seed, label)
        shuffles = sha256(self._seed + label.encode()).digest()
        found = self._search(self._game, position, shuffles, nodes)
        self.searched += found.nodes
        return _Sample(position, shuffles, found)


class FairRun(NamedTuple):
    """How a deal went: whether it was won, by which moves, and how many nodes were searched for them."""

    is_won: bool
    moves: tuple[Move, ...]
    searched: int


def play_fairly(game: Game, deal_seed: bytes, player_seed: bytes, search: Search = solve) -> FairRun:
    """Play the deal of a seed by the policy; the answer follows from the two seeds, of 32 bytes each."""
    state, moves = game.deal(deal_seed), list[Move]()
    known = first_knowledge(state)
    player = FairPlayer(game, known, player_seed, search)
    while not game.won(state) and len(moves) < MOST_MOVES and (move := player.choose()) is not None:
        played = game.play(state, move, deal_seed)
        known = know_after(game, known, played)
        player.learn(move, known)
        state = played.state
        moves.append(move)
    return FairRun(game.won(state), tuple(moves), player.searched)
