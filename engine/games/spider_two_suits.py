"""Spider, two suits: as four suits, with a pack of spades and hearts only."""

from dataclasses import replace

from cadogan.engine.cards import SUITS, pack, suit
from cadogan.engine.games import spider_four_suits

GAME = replace(
    spider_four_suits.GAME,
    name="Spider, two suits",
    summary="Ten columns of spades and hearts: build down, move runs of one suit, and lift every run from king to ace.",
    also_known_as=("Spider (two suits)",),
    pack=tuple(sorted(card for card in pack(4) if suit(card) in (SUITS.index("S"), SUITS.index("H")))),
)
