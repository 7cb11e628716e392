"""Search for a won game of every game, and write it to a file; a test plays it again.

``python -m tests.games.wins [SLUG...]`` searches anew, for up to five minutes a game. A file says how one deal is won.
If no deal is won in the first minute, it says how a position is won that differs from a deal only in the places of the
cards that nobody has seen yet or, if all are seen, of the cards that are not home. The files of Queens, Sly and Zodiac
are of this kind too, but come from a longer search: this one would not find them.

The search is the same for every game: a beam search over positions, which is a simple playout when the beam is one
position wide. It prefers a high score, few blocked cards and many moves. From its own attempts it learns which cards
come home early and should therefore not be blocked.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from heapq import nlargest
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, NamedTuple

from cadogan import engine
from cadogan.engine import Game, Move, State
from cadogan.engine.cards import DOWN, FACE
from tests.games.walks import seed

WINS = Path(__file__).parent / "wins"
DEALS_SECONDS, POSITIONS_SECONDS = 60, 240
PLAYOUTS, WIDTHS = 120, (8, 40, 200, 1000)
"""How many deals are only played out; then come wider beams, four deals for each width, again from the first."""
Weights = tuple[float, float, float]
WEIGHTS: tuple[Weights, ...] = ((0, 0, 0), (0.5, 0, 0), (0.5, 0.05, 0), (1, 0.1, 0), (0.2, 0.02, 0.2), (0, 0.1, 0.5))
"""What a blocked card costs, and what a legal move and a card in the stock are worth, each in points of the score."""
MOST_MOVES_WITHOUT_GAIN = 120
"""After so many moves without a better score an attempt ends."""


class Attempt(NamedTuple):
    """How far an attempt came: the best score, and the moves that lead to it."""

    won: bool
    score: int
    start: State
    moves: list[Move]


class Search:
    """The search for wins of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.random = Random(game.slug)
        groups = game.declaration.groups
        self.open = [index for group in groups if group.role in ("tableau", "reserve", "waste") for index in group]
        self.stock = [index for group in groups if group.role == "stock" for index in group]
        self.gone = [index for group in groups if group.role in ("foundation", "discard") for index in group]
        self.due = [0.0] * (FACE + 1)
        self._blocked: dict[tuple[int, ...], int] = {}

    def attempt(self, start: State, deal: int, width: int, weights: Weights, until: float) -> Attempt:
        """Play on from a position until it is won, nothing new or better is found, or the time `until` is reached."""
        game, salt = self.game, seed(deal)
        came: dict[State, tuple[State, Move] | None] = {start: None}
        best, best_score, level, stale = start, game.score(start), [start], 0
        while level and stale < MOST_MOVES_WITHOUT_GAIN and monotonic() < until:
            found: list[tuple[float, float, State]] = []
            stale += 1
            for state in level:
                moves = game.legal_moves(state)
                for move in moves:
                    after = game.play_legal(state, move, salt).state
                    if after in came:
                        continue
                    came[after] = (state, move)
                    score = game.score(after)
                    if score > best_score or game.won(after):
                        best, best_score, stale = after, score, 0
                        if game.won(after):
                            return Attempt(True, score, start, _moves_to(came, best))
                    found.append((self._value(after, score, len(moves), weights), self.random.random(), after))
            level = [state for _, _, state in nlargest(width, found)]
        return Attempt(False, best_score, start, _moves_to(came, best))

    def _value(self, state: State, score: int, choices: int, weights: Weights) -> float:
        blocked, moves, left = weights
        value = score + left * sum([len(state.piles[index]) for index in self.stock])
        if blocked:
            value -= blocked * sum([self._blocked_in(state.piles[index]) for index in self.open])
        return value + moves * choices

    def _blocked_in(self, pile: tuple[int, ...]) -> int:
        """How many cards of a pile lie above a card that should be home sooner."""
        known = self._blocked.get(pile)
        if known is None:
            soonest, known = 1e9, 0
            for card in pile:
                due = self.due[card & FACE]
                known += soonest < due
                soonest = min(soonest, due)
            self._blocked[pile] = known
        return known

    def learn(self, attempt: Attempt, deal: int) -> None:
        """Learn from an attempt at what time each card went home."""
        state = attempt.start
        for time, move in enumerate(attempt.moves):
            after = self.game.play_legal(state, move, seed(deal)).state
            for index in self.gone:
                for card in after.piles[index][len(state.piles[index]) :]:
                    self.due[card & FACE] += 0.2 * (time - self.due[card & FACE])
            state = after
        self._blocked.clear()

    def deals(self, until: float) -> Iterator[tuple[int, Attempt]]:
        """Attempt one deal after another, after a while with wider beams."""
        number = 0
        while monotonic() < until:
            width = 1 if number < PLAYOUTS else WIDTHS[number // 4 % len(WIDTHS)]
            number += 1
            weights = WEIGHTS[number % len(WEIGHTS)]
            attempt = self.attempt(self.game.deal(seed(number)), number, width, weights, until)
            self.learn(attempt, number)
            yield number, attempt

    def positions(self, best: Attempt, until: float) -> Iterator[Attempt]:
        """Attempt other positions: exchange unseen cards of the best one in pairs, and keep what is better."""
        start = best.start
        places = unseen(self.game, start)
        while monotonic() < until:
            changed = start
            for _ in range(self.random.choice((1, 1, 2, 5))):
                changed = swapped(changed, *self.random.sample(places, 2))
            width = self.random.choice((1, 1, 1, 1, 8, 40))
            attempt = self.attempt(changed, 0, width, self.random.choice(WEIGHTS), until)
            if attempt.score >= best.score or attempt.won:
                start, best = changed, attempt
                self.learn(attempt, 0)
            yield attempt


def _moves_to(came: dict[State, tuple[State, Move] | None], state: State) -> list[Move]:
    moves = []
    while (step := came[state]) is not None:
        state = step[0]
        moves.append(step[1])
    return moves[::-1]


def unseen(game: Game, state: State) -> list[tuple[int, int]]:
    """Where the face-down cards lie, as pile and place; if there are none, where the cards lie that are not home."""
    away = {index for group in game.declaration.groups if group.role in ("foundation", "discard") for index in group}
    places = [(index, place) for index, pile in enumerate(state.piles) for place in range(len(pile))]
    hidden = [(index, place) for index, place in places if state.piles[index][place] & DOWN]
    return hidden or [(index, place) for index, place in places if index not in away]


def swapped(state: State, one: tuple[int, int], other: tuple[int, int]) -> State:
    """Exchange two cards; each place stays face up or face down."""
    piles = [list(pile) for pile in state.piles]
    first, second = piles[one[0]][one[1]], piles[other[0]][other[1]]
    piles[one[0]][one[1]] = second & FACE | first & DOWN
    piles[other[0]][other[1]] = first & FACE | second & DOWN
    return State(tuple(map(tuple, piles)), state.counters)


def search(game: Game) -> dict[str, Any] | None:
    """Search for a won deal, or else a won position, as the test reads it; None when none was found."""
    attempts = Search(game)
    until = monotonic() + DEALS_SECONDS
    best: tuple[int, Attempt] | None = None
    for number, attempt in attempts.deals(until):
        if attempt.won:
            return {"deal": number, "moves": list(map(str, attempt.moves))}
        if best is None or attempt.score > best[1].score:
            best = number, attempt
    if best is None:
        return None
    number, attempt = best
    print(f"  deal {number} came to {attempt.score} of {game.maximum}", flush=True)
    for each in attempts.positions(attempt, monotonic() + POSITIONS_SECONDS):
        if each.won:
            return {
                "piles": game.write_piles(each.start),
                "vars": game.write_counters(each.start),
                "moves": list(map(str, each.moves)),
            }
    return None


def record_win(game: Game) -> None:
    """Search for a won game, and write it to its file."""
    start = monotonic()
    found = search(game)
    if found:
        (WINS / f"{game.slug}.json").write_text(json.dumps(found) + "\n")
    what = "no won game found" if not found else f"deal {found['deal']} won" if "deal" in found else "a position won"
    moves = len(found["moves"]) if found else 0
    print(f"{game.slug}: {what}, {moves} moves, {monotonic() - start:.0f} s", flush=True)


def main(slugs: Iterable[str]) -> None:
    """Search for a won game of these games, or of all."""
    for slug in slugs or engine.slugs():
        record_win(engine.game(slug))


if __name__ == "__main__":
    main(sys.argv[1:])
