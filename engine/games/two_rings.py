"""Two Rings: sevens are built up to kings, sixes down to aces, and a bracelet of eight cards lies below."""

from cadogan.engine.cards import ANY, pack
from cadogan.engine.declaration import Declaration, Group, Interchangeable, Route, counters, lay_out
from cadogan.engine.layout import at, grid, joined, ring, row
from cadogan.engine.parts import cards_in, deal_to, redeal, rest, rows, set_out, shuffle
from cadogan.engine.relations import down, in_suit, up

RING = ((0, 0), (1.1, 0), (2.2, 0), (2.2, 1.1), (2.2, 2.2), (1.1, 2.2), (0, 2.2), (0, 1.1))

foundation, bracelet, waste, stock = lay_out(
    Group("foundation", 16, "foundation", joined((8, at(*RING)), (8, at(*((x + 5.5, y) for x, y in RING))))),
    Group("bracelet", 8, "reserve", row(0, 3.8)),
    Group("waste", 1, "waste", at((3.85, 1.7))),
    Group("stock", 1, "stock", at((3.85, 0.5))),
)
(redeals,) = counters(redeals=1)
BASES = "7S 7H 7D 7C 7S 7H 7D 7C 6S 6H 6D 6C 6S 6H 6D 6C"

GAME = Declaration(
    name="Two Rings",
    summary="Eight sevens climb to kings and eight sixes descend to aces, with a bracelet of eight cards to draw from.",
    also_known_as=("Zwei Ringe",),
    groups=(foundation, bracelet, waste, stock),
    counters=(redeals,),
    pack=pack(2),
    deal=(set_out(foundation, BASES), shuffle(), rows(bracelet), rest(stock)),
    routes=(
        Route((bracelet, waste), foundation[0:8], onto=in_suit & up),
        Route((bracelet, waste), foundation[8:16], onto=in_suit & down),
        Route((waste, stock), bracelet, empty=ANY),
    ),
    actions=(deal_to(waste, stock), redeal(waste, stock, redeals)),
    interchangeable=(Interchangeable(bracelet),),
    score=cards_in(foundation),
    maximum=104,
    won=lambda position: foundation.size(position) == 104,
    tall={
        "foundation": joined((8, ring(3, 3)), (8, ring(3, 3, 0, 3.4))),
        "bracelet": grid(2, 3.5, 2.3, 1.08, 1.08),
        "stock": at((3.5, 0)),
        "waste": at((4.58, 0)),
    },
)
