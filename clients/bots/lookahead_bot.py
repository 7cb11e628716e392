"""The better bot: it plays the move with the greatest gain, counting the best moves after it.

Cards on the foundations count most, then face-down cards that are turned up, cards that leave the waste and the
reserve, and empty piles. The bot never goes back to an earlier position, and gives up when it makes no progress.
"""

import random
from collections.abc import Sequence
from functools import reduce
from operator import xor

from cadogan.bots.prediction import LearnedRules, Piles, predict_changed_piles
from cadogan.sdk.moves import Move, Verb
from cadogan.sdk.session import DOWN, Session
from cadogan.wire.bodies import PilePlace

SEARCH_DEPTH = 2
"""How many moves the bot looks ahead, including the move to play."""
DISCOUNT = 0.8
"""The factor by which a gain counts less for each move that it comes later."""
HOME_VALUE = 10.0
"""The value of a card on a foundation or a discard pile."""
FACE_DOWN_VALUE = -4.0
"""The value of a face-down card of the tableau."""
WAITING_VALUE = -0.5
"""The value of a card in the stock, the waste or the reserve."""
EMPTY_PILE_VALUE = 1.5
"""The value of an empty pile of the tableau."""
MAX_MOVES_CONSIDERED = 100
"""How many legal moves the bot considers. If there are more it draws them at random."""
MAX_MOVES_WITHOUT_PROGRESS = 120
"""The bot gives up after this many moves without a better position."""


class LookaheadBot:
    """Plays one game, looking ahead."""

    def __init__(self, places: Sequence[PilePlace], generator: random.Random) -> None:
        self._generator = generator
        self._role = {place.name: place.role for place in places}
        self._discard = next((place.name for place in places if place.role == "discard"), None)
        self._rules = LearnedRules(places)
        self._position = 0
        """The hash of the present position."""
        self._seen: set[int] = set()
        """The hashes of all earlier positions."""
        self._best_value = float("-inf")
        self._moves_since_best = 0

    def choose(self, session: Session) -> Move | None:
        """Return the move with the greatest gain; None to give up."""
        piles = session.piles or {}
        self._rules.learn(session.moves, piles)
        self._position = _hash(piles)
        self._seen.add(self._position)
        value = self._value(piles, piles)
        self._moves_since_best = self._moves_since_best + 1 if value <= self._best_value else 0
        self._best_value = max(self._best_value, value)
        if self._moves_since_best > MAX_MOVES_WITHOUT_PROGRESS:
            return None
        considered = self._generator.sample(session.moves, min(MAX_MOVES_CONSIDERED, len(session.moves)))
        gains = {move: gain for move in considered if (gain := self._gain(piles, move, SEARCH_DEPTH)) is not None}
        best = max(gains, key=gains.__getitem__, default=None)
        if best is not None and gains[best] > 0:
            return best
        verbs = [move for move in considered if isinstance(move, Verb)]
        return verbs[0] if verbs else best

    def _gain(self, piles: Piles, move: Move, depth: int) -> float | None:
        """Return the gain of a move and the moves after it; None if it repeats a position or cannot be predicted."""
        changed = predict_changed_piles(piles, move, self._discard)
        if changed is None:
            return None
        if depth == SEARCH_DEPTH:
            after = self._position ^ _hash({name: piles[name] for name in changed}) ^ _hash(changed)
            if after in self._seen:
                return None
        now = {**piles, **changed}
        gain = self._value(now, changed) - self._value(piles, changed)
        if depth > 1:
            later = (self._gain(now, follower, depth - 1) for follower in self._rules.predict_moves(now, changed))
            gain += DISCOUNT * max((one for one in later if one is not None), default=0.0)
        return gain

    def _value(self, piles: Piles, names: Piles) -> float:
        """Return the value of the piles with these names."""
        value = 0.0
        for name in names:
            pile, role = piles[name], self._role[name]
            if role in ("foundation", "discard"):
                value += HOME_VALUE * len(pile)
            elif role == "tableau":
                value += FACE_DOWN_VALUE * pile.count(DOWN) + EMPTY_PILE_VALUE * (not pile)
            else:
                value += WAITING_VALUE * len(pile)
        return value


def _hash(piles: Piles) -> int:
    """Return a hash of these piles. XOR adds piles to the hash of a position, and also removes them."""
    return reduce(xor, map(hash, piles.items()), 0)
