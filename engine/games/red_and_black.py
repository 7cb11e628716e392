"""Red and Black: aces up in suit, eight packets of Volunteers down in alternating colours, one shuffled redeal."""

from cadogan.engine.cards import EVERY, pack
from cadogan.engine.declaration import Declaration, Group, Interchangeable, Route, counters, lay_out
from cadogan.engine.layout import DOWNWARDS, at, row
from cadogan.engine.parts import all_hold, cards_in, deal_to, redeal, refill, rest, rows, set_out, shuffle
from cadogan.engine.relations import alternating, down, in_suit, up

stock, waste, foundation, volunteers = lay_out(
    Group("stock", 1, "stock", at((9.3, 0))),
    Group("waste", 1, "waste", at((9.3, 1.3))),
    Group("foundation", 8, "foundation", row(0, 0)),
    Group("volunteers", 8, "tableau", row(0, 1.3), DOWNWARDS),
)
(redeals,) = counters(redeals=1)

GAME = Declaration(
    name="Red and Black",
    summary="Eight aces go up in suit while eight packets of Volunteers are built down in alternating colours.",
    also_known_as=("Volunteers",),
    groups=(stock, waste, foundation, volunteers),
    counters=(redeals,),
    pack=pack(2),
    deal=(set_out(foundation, "AS AS AH AH AC AC AD AD"), shuffle(), rows(volunteers), rest(stock)),
    routes=(
        Route((volunteers, waste), foundation, onto=in_suit & up),
        Route((volunteers, waste), volunteers, onto=alternating & down),
        Route(volunteers, volunteers, empty=EVERY),
    ),
    actions=(deal_to(waste, stock), redeal(waste, stock, redeals, shuffled=True)),
    automatic=(refill(volunteers, stock, waste),),
    interchangeable=(Interchangeable(foundation), Interchangeable(volunteers)),
    score=cards_in(foundation),
    maximum=104,
    won=all_hold(foundation, 13),
)
