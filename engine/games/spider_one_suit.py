"""Spider, one suit: as four suits, with a pack of spades only."""

from dataclasses import replace

from cadogan.engine.cards import SUITS, pack, suit
from cadogan.engine.games import spider_four_suits

GAME = replace(
    spider_four_suits.GAME,
    name="Spider, one suit",
    summary="Ten columns of spades: build down, move runs, and lift every run from king to ace.",
    also_known_as=("Spider (one suit)",),
    pack=tuple(sorted(card for card in pack(8) if suit(card) == SUITS.index("S"))),
)
