"""Cards and sets of cards, as small integers.

A card is ``rank << 2 | suit`` with ranks from 1 (ace) to 13 (king) and suits from 0 to 3 in the order S H D C. ``DOWN``
is added while the card lies face down. The copies of a card in several packs are the same number, because the rules
never distinguish them.

A set of cards is a bit mask: bit ``card`` is set for each member. No card has the number 0, so bit 0 stands for
*a card that nobody has seen*. A rule that allows any card therefore allows an unseen one, and a rule that names ranks
or suits does not.

>>> parse_card("TH"), card_text(parse_card("TH")), card_text(parse_card("TH") | DOWN)
(41, 'TH', '-TH')
>>> sorted(card_text(card) for card in members(parse_cards("AS AH")))
['AH', 'AS']
"""

from collections.abc import Iterable, Iterator
from functools import cache

from cadogan.engine.errors import UnreadablePosition

RANKS = "A23456789TJQK"
SUITS = "SHDC"
DOWN = 64
"""Added to a card that lies face down."""
FACE = 63
"""The bits of a card that say which card it is, whether it lies face up or face down."""

_TEXT = [""] * 128
for _rank in range(1, 14):
    for _suit in range(4):
        _card = _rank << 2 | _suit
        _TEXT[_card] = RANKS[_rank - 1] + SUITS[_suit]
        _TEXT[_card | DOWN] = "-" + _TEXT[_card]
_CARD = {word: number for number, word in enumerate(_TEXT) if word}

BIT: tuple[int, ...] = tuple(1 << number if number < DOWN and _TEXT[number] else 1 for number in range(128))
"""By card: the set that holds just this card; for a face-down card, the set that holds just *an unseen card*."""


def rank(card: int) -> int:
    """The rank of a card, from 1 (ace) to 13 (king)."""
    return (card & FACE) >> 2


def suit(card: int) -> int:
    """The suit of a card, from 0 to 3 in the order S H D C."""
    return card & 3


def is_red(card: int) -> bool:
    """Whether the card is a heart or a diamond."""
    return suit(card) in (1, 2)


def parse_card(word: str) -> int:
    """Read a card from its text: rank and suit, such as ``TH``, and ``-TH`` when it lies face down.

    Raises UnreadablePosition when the word is no card.
    """
    try:
        return _CARD[word]
    except KeyError:
        raise UnreadablePosition(f"{word!r} is no card: write rank and suit, such as TH, or -TH face down") from None


def card_text(card: int) -> str:
    """Write a card as text; the inverse of `parse_card`."""
    return _TEXT[card]


def parse_cards(words: str) -> int:
    """Read a set of cards, written with spaces between them. Raises UnreadablePosition like `parse_card`."""
    return card_set(parse_card(word) for word in words.split())


def card_set(cards: Iterable[int]) -> int:
    """The set of these cards; a face-down card adds *an unseen card*."""
    result = 0
    for card in cards:
        result |= BIT[card]
    return result


def members(cards: int) -> Iterator[int]:
    """The cards of a set, in rising order, without *an unseen card*."""
    return (number for number in range(4, 56) if cards >> number & 1)


def only_rank(cards: int) -> str:
    """The letter of the rank, if this set holds cards of one rank and nothing else; otherwise empty."""
    ranks = {rank(card) for card in members(cards)}
    return RANKS[ranks.pop() - 1] if len(ranks) == 1 and cards != ANY else ""


@cache
def of_rank(ranks: str) -> int:
    """The set of all cards of these ranks: ``of_rank("AK")`` holds the aces and kings."""
    return card_set(number for number in range(4, 56) if RANKS[rank(number) - 1] in ranks)


@cache
def of_suit(suit_number: int) -> int:
    """The set of all cards of one suit, given by its number."""
    return card_set(number for number in range(4, 56) if suit(number) == suit_number)


EVERY = card_set(range(4, 56))
"""Every card whose face is known."""
ANY = EVERY | 1
"""Every card, including an unseen one."""
RED = of_suit(1) | of_suit(2)
BLACK = of_suit(0) | of_suit(3)


def pack(copies: int = 1, ranks: str = RANKS) -> tuple[int, ...]:
    """The cards of `copies` packs with these ranks, in the order from which every shuffle starts.

    Pack follows pack; in each pack the ranks go from ace to king, and in each rank the suits go S H D C.
    """
    return tuple(sorted(members(of_rank(ranks)))) * copies
