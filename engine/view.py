"""What a person may see of a position: the only way out for cards.

A pile is a list, bottom first, in which a face-up card is its text and a stretch of face-down cards is their number:
``[3, "7H", "6S"]``. Nothing else about a face-down card leaves the engine.
"""

from engine.cards import DOWN, text
from engine.state import Pile

PileView = list[str | int]


def view_pile(pile: Pile) -> PileView:
    """What may be seen of one pile."""
    seen: PileView = []
    hidden = 0
    for card in pile:
        if card & DOWN:
            hidden += 1
            continue
        if hidden:
            seen.append(hidden)
            hidden = 0
        seen.append(text(card))
    if hidden:
        seen.append(hidden)
    return seen
