"""Cards and sets of cards, as small integers.

A card is ``rank << 2 | suit`` with ranks 1 (ace) to 13 (king) and suits 0 to 3 in the order S H D C; ``DOWN`` is
added while it lies face down. So the copies of a card in several packs are the same card, as the rule sheets say.

A set of cards is a bit mask with bit ``card`` for each member. No card has number 0: bit 0 stands for *a card
nobody has seen*, so that a rule saying "any card" takes an unseen one and a rule naming ranks or suits does not.

>>> card("TH"), text(card("TH")), text(card("TH") | DOWN)
(41, 'TH', '-TH')
>>> sorted(text(c) for c in members(cards("AS AH")))
['AH', 'AS']
"""

from collections.abc import Iterable, Iterator

from engine.errors import UnreadablePosition

RANKS = "A23456789TJQK"
SUITS = "SHDC"
DOWN = 64
"""Added to a card that lies face down."""
FACE = 63
"""The bits of a card that say which it is, whichever way up it lies."""

_TEXT = [""] * 128
for _rank in range(1, 14):
    for _suit in range(4):
        _card = _rank << 2 | _suit
        _TEXT[_card] = RANKS[_rank - 1] + SUITS[_suit]
        _TEXT[_card | DOWN] = "-" + _TEXT[_card]
_CARD = {word: number for number, word in enumerate(_TEXT) if word}

BIT: tuple[int, ...] = tuple(1 << number if number < DOWN and _TEXT[number] else 1 for number in range(128))
"""The set holding just one card; for a face-down card the set holding just *a card nobody has seen*."""


def rank(card: int) -> int:
    """The rank, 1 for an ace to 13 for a king."""
    return (card & FACE) >> 2


def suit(card: int) -> int:
    """The suit, 0 to 3 for S H D C."""
    return card & 3


def red(card: int) -> bool:
    """Whether the card is a heart or a diamond."""
    return suit(card) in (1, 2)


def card(word: str) -> int:
    """Read a card as the rule sheets write it: ``TH``, and ``-TH`` when it lies face down.

    Raises UnreadablePosition when the word is no card.
    """
    try:
        return _CARD[word]
    except KeyError:
        raise UnreadablePosition(f"{word!r} is no card: write rank and suit, such as TH, or -TH face down") from None


def text(card: int) -> str:
    """The card as the rule sheets write it; the inverse of `card`."""
    return _TEXT[card]


def cards(words: str) -> int:
    """The set of the cards named, separated by spaces."""
    return mask(card(word) for word in words.split())


def mask(members: Iterable[int]) -> int:
    """The set of these cards."""
    result = 0
    for member in members:
        result |= BIT[member]
    return result


def members(mask: int) -> Iterator[int]:
    """The cards of a set, in rising order; *a card nobody has seen* is left out."""
    return (number for number in range(4, 56) if mask >> number & 1)


def of_rank(ranks: str) -> int:
    """The set of all cards of these ranks: ``of_rank("AK")`` is the aces and kings."""
    return mask(number for number in range(4, 56) if RANKS[rank(number) - 1] in ranks)


def of_suit(suit_number: int) -> int:
    """The set of all cards of one suit."""
    return mask(number for number in range(4, 56) if suit(number) == suit_number)


EVERY = mask(range(4, 56))
"""Every card whose face is known."""
ANY = EVERY | 1
"""Every card, an unseen one too."""
RED = of_suit(1) | of_suit(2)
BLACK = of_suit(0) | of_suit(3)


def pack(copies: int = 1, ranks: str = RANKS) -> tuple[int, ...]:
    """So many packs of these ranks, in the order every shuffle starts from: pack after pack, in each the ranks
    from ace to king, in each rank the suits S H D C."""
    return tuple(sorted(members(of_rank(ranks)))) * copies
