"""The visible part of a position. No card leaves the engine for a person in any other way.

The view of a pile is a list, bottom first. A face-up card is its text, and a stretch of face-down cards is their
number: ``[3, "7H", "6S"]``. Nothing else about a face-down card leaves the engine.
"""

from cadogan.engine.cards import DOWN, card_text
from cadogan.engine.state import Pile

PileView = list[str | int]


def view_pile(pile: Pile) -> PileView:
    """Return the visible part of one pile.

    >>> from cadogan.engine.cards import parse_card
    >>> view_pile(tuple(map(parse_card, ["-KS", "-2D", "7H", "6S"])))
    [2, '7H', '6S']
    """
    seen: PileView = []
    hidden = 0
    for card in pile:
        if card & DOWN:
            hidden += 1
            continue
        if hidden:
            seen.append(hidden)
            hidden = 0
        seen.append(card_text(card))
    if hidden:
        seen.append(hidden)
    return seen
