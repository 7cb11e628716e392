"""The better bot: the move that brings most, together with what it opens.

Cards home count most, then face-down cards that will be turned up, cards that come out of waste and reserve, and piles
that become empty. It never goes back to where it was, and gives up when nothing has become better for long.
"""

import random
from collections.abc import Sequence
from functools import reduce
from operator import xor

from clients.bots.prediction import Habits, Piles, after
from clients.sdk.moves import Move, Verb
from clients.sdk.session import DOWN, Session
from clients.wire.bodies import PilePlace

DEPTH = 2
"""How many moves it looks ahead, the one to be played among them."""
LATER = 0.8
"""What something is worth that comes a move later."""
HOME, HIDDEN, WAITING, FREE = 10.0, -4.0, -0.5, 1.5
"""A card home, one that lies face down, one that waits in waste or reserve, an empty pile of the tableau."""
ATTENTION = 100
"""How many legal moves it looks at, drawn by chance where there are more."""
PATIENCE = 120
"""Moves in which something must have become better."""


class Thought:
    """Plays one game with some thought."""

    def __init__(self, places: Sequence[PilePlace], chance: random.Random) -> None:
        self._chance = chance
        self._role = {place.name: place.role for place in places}
        self._discard = next((place.name for place in places if place.role == "discard"), None)
        self._habits = Habits(places)
        self._here = 0
        self._been: set[int] = set()
        """The positions in which it was, each as a number."""
        self._best = float("-inf")
        self._since = 0

    def choose(self, session: Session) -> Move | None:
        """The move it thinks best; none when it gives up."""
        piles = session.piles or {}
        self._habits.learn(session.moves, piles)
        self._here = _key(piles)
        self._been.add(self._here)
        worth = self._worth(piles, piles)
        self._since = self._since + 1 if worth <= self._best else 0
        self._best = max(self._best, worth)
        if self._since > PATIENCE:
            return None
        looked_at = self._chance.sample(session.moves, min(ATTENTION, len(session.moves)))
        gains = {move: gain for move in looked_at if (gain := self._gain(piles, move, DEPTH)) is not None}
        best = max(gains, key=gains.__getitem__, default=None)
        if best is not None and gains[best] > 0:
            return best
        verbs = [move for move in looked_at if isinstance(move, Verb)]
        return verbs[0] if verbs else best

    def _gain(self, piles: Piles, move: Move, depth: int) -> float | None:
        """What a move brings, with what it opens; None for one that leads back, or of which it cannot tell."""
        changed = after(piles, move, self._discard)
        if changed is None:
            return None
        if depth == DEPTH and self._here ^ _key({name: piles[name] for name in changed}) ^ _key(changed) in self._been:
            return None
        now = {**piles, **changed}
        gain = self._worth(now, changed) - self._worth(piles, changed)
        if depth > 1:
            nexts = (self._gain(now, follower, depth - 1) for follower in self._habits.opened(now, changed))
            gain += LATER * max((one for one in nexts if one is not None), default=0.0)
        return gain

    def _worth(self, piles: Piles, which: Piles) -> float:
        """How good these piles are."""
        worth = 0.0
        for name in which:
            pile, role = piles[name], self._role[name]
            if role in ("foundation", "discard"):
                worth += HOME * len(pile)
            elif role == "tableau":
                worth += HIDDEN * pile.count(DOWN) + FREE * (not pile)
            else:
                worth += WAITING * len(pile)
        return worth


def _key(piles: Piles) -> int:
    """A number for these piles; those of two parts of a position, or of what left it and what came, join by `^`."""
    return reduce(xor, map(hash, piles.items()), 0)
