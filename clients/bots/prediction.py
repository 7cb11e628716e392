"""What a move will plainly do to the piles, and which moves it will plainly open: seen from outside, without the rules.

Where a red eight may be laid on a black nine of the tableau, any card may be laid on the next in rank of the other
colour: so much is learnt of a game from the moves that the server calls legal.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache

from clients.sdk.moves import Joint, Move, Transfer
from clients.sdk.session import DOWN, Faces
from clients.wire.bodies import PilePlace

RANKS = "A23456789TJQK"
RED = "HD"
UNSEEN = "??"
"""The face of a card that will be turned up, and is not known before."""

Piles = Mapping[str, Faces]
Fit = tuple[str, int | str, str]
"""How a card lies on another in a group of piles: the steps between their ranks, what their suits have in common."""


def after(piles: Piles, move: Move, discard: str | None) -> dict[str, Faces] | None:
    """The piles that a move changes, as they will be; None for a move of which one cannot tell.

    What is taken off together goes to the `discard`, if there is one.
    """
    match move:
        case Transfer(source=source, target=target, count=count):
            return {source: _turned(piles[source][:-count]), target: piles[target] + piles[source][-count:]}
        case Joint(piles=(one, other), exchange=True):
            return {
                one: piles[one][:-1] + piles[other][-1:],
                other: piles[other][:-1] + piles[one][-1:],
            }
        case Joint(piles=names):
            changed = {name: _turned(piles[name][:-1]) for name in names}
            if discard is not None:
                changed[discard] = piles[discard] + tuple(piles[name][-1] for name in names if piles[name])
            return changed
    return None


def _turned(pile: Faces) -> Faces:
    return (*pile[:-1], UNSEEN) if pile and pile[-1] == DOWN else pile


class Habits:
    """What has been seen to be laid on what in one game, and from which piles cards are taken."""

    def __init__(self, places: Sequence[PilePlace]) -> None:
        self._group = {place.name: place.group for place in places}
        self._fits: set[Fit | None] = set()
        self._sources: set[str] = set()
        self._targets: set[str] = set()

    def learn(self, moves: Iterable[Move], piles: Piles) -> None:
        """Take in the legal moves of a position."""
        for move in moves:
            if isinstance(move, Transfer) and len(piles[move.source]) >= move.count:
                source, target = self._group[move.source], self._group[move.target]
                fit = _fit(target, piles[move.source][-move.count], _top(piles[move.target]))
                if fit is not None:
                    self._fits.add(fit)
                    self._sources.add(source)
                    self._targets.add(target)

    def opened(self, piles: Piles, changed: Collection[str]) -> Iterator[Transfer]:
        """The moves of one card that the changed piles plainly allow: from them to any, and from any to them."""
        sources = [name for name, group in self._group.items() if group in self._sources and piles[name]]
        targets = [name for name, group in self._group.items() if group in self._targets]
        for source in sources:
            card = piles[source][-1]
            for target in targets if source in changed else [name for name in targets if name in changed]:
                fit = _fit(self._group[target], card, _top(piles[target]))
                if fit in self._fits and source != target:
                    yield Transfer(f"{source}/{target}", source, target, 1)


def _top(pile: Faces) -> str:
    return pile[-1] if pile else ""


@cache
def _fit(group: str, card: str, below: str) -> Fit | None:
    if card in (DOWN, UNSEEN) or below in (DOWN, UNSEEN):
        return None
    if not below:
        return group, card[0], "alone"
    suits = card[-1], below[-1]
    alike = "suit" if suits[0] == suits[1] else "colour" if (suits[0] in RED) == (suits[1] in RED) else "nothing"
    return group, (RANKS.index(card[0]) - RANKS.index(below[0])) % len(RANKS), alike
