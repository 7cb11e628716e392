"""Predict what a move does to the piles and which moves it makes possible, without knowing the rules.

The rules are learned from the legal moves that the server sends: if a red eight may go on a black nine of the tableau,
then any card may go on the next higher rank of the other colour there.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache

from cadogan.sdk.moves import Joint, Move, Transfer
from cadogan.sdk.session import DOWN, Faces
from cadogan.wire.bodies import PilePlace

RANKS = "A23456789TJQK"
RED_SUITS = "HD"
UNSEEN = "??"
"""Stands for a card that the move turns face up, whose face is not known yet."""

Piles = Mapping[str, Faces]
BuildingPattern = tuple[str, int | str, str]
"""How a card lies on another one: the group of the pile, the difference of the ranks, and the relation of the suits.

On an empty pile: the group, the rank of the card, and `alone`."""


def predict_changed_piles(piles: Piles, move: Move, discard: str | None) -> dict[str, Faces] | None:
    """Return the piles that a move changes, as they will be after it; None if the move cannot be predicted.

    `discard` is the name of the pile for cards that are taken off together, if the game has one.
    """
    match move:
        case Transfer(source=source, target=target, count=count):
            return {source: _turn_top(piles[source][:-count]), target: piles[target] + piles[source][-count:]}
        case Joint(piles=(one, other), exchange=True):
            return {
                one: piles[one][:-1] + piles[other][-1:],
                other: piles[other][:-1] + piles[one][-1:],
            }
        case Joint(piles=names):
            changed = {name: _turn_top(piles[name][:-1]) for name in names}
            if discard is not None:
                changed[discard] = piles[discard] + tuple(piles[name][-1] for name in names if piles[name])
            return changed
    return None


def _turn_top(pile: Faces) -> Faces:
    return (*pile[:-1], UNSEEN) if pile and pile[-1] == DOWN else pile


class LearnedRules:
    """Which cards go on which in one game, and which piles give and take cards, learned from legal moves."""

    def __init__(self, places: Sequence[PilePlace]) -> None:
        self._group = {place.name: place.group for place in places}
        self._patterns: set[BuildingPattern | None] = set()
        self._source_groups: set[str] = set()
        self._target_groups: set[str] = set()

    def learn(self, moves: Iterable[Move], piles: Piles) -> None:
        """Learn from the legal moves of a position."""
        for move in moves:
            if isinstance(move, Transfer) and len(piles[move.source]) >= move.count:
                source, target = self._group[move.source], self._group[move.target]
                pattern = _building_pattern(target, piles[move.source][-move.count], _top(piles[move.target]))
                if pattern is not None:
                    self._patterns.add(pattern)
                    self._source_groups.add(source)
                    self._target_groups.add(target)

    def predict_moves(self, piles: Piles, changed: Collection[str]) -> Iterator[Transfer]:
        """Yield the moves of one card from or to a changed pile that the learned rules allow."""
        sources = [name for name, group in self._group.items() if group in self._source_groups and piles[name]]
        targets = [name for name, group in self._group.items() if group in self._target_groups]
        for source in sources:
            card = piles[source][-1]
            for target in targets if source in changed else [name for name in targets if name in changed]:
                pattern = _building_pattern(self._group[target], card, _top(piles[target]))
                if pattern in self._patterns and source != target:
                    yield Transfer(f"{source}/{target}", source, target, 1)


def _top(pile: Faces) -> str:
    return pile[-1] if pile else ""


@cache
def _building_pattern(group: str, card: str, below: str) -> BuildingPattern | None:
    """Return how `card` lies on `below` (empty for an empty pile); None if one of them is not known."""
    if card in (DOWN, UNSEEN) or below in (DOWN, UNSEEN):
        return None
    if not below:
        return group, card[0], "alone"
    suits = card[-1], below[-1]
    if suits[0] == suits[1]:
        common = "suit"
    else:
        common = "colour" if (suits[0] in RED_SUITS) == (suits[1] in RED_SUITS) else "nothing"
    return group, (RANKS.index(card[0]) - RANKS.index(below[0])) % len(RANKS), common
