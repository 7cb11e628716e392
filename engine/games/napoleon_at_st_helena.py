"""Napoleon at St. Helena: forty open cards in ten columns, built down in suit, and one pass through the stock."""

from cadogan.engine.cards import EVERY, pack
from cadogan.engine.declaration import Declaration, Group, Interchangeable, Route, SafeHome, lay_out
from cadogan.engine.layout import DOWNWARDS, at, row
from cadogan.engine.parts import all_hold, base, cards_in, deal_to, rest, rows, shuffle
from cadogan.engine.relations import down, in_suit, up

foundation, tableau, stock, waste = lay_out(
    Group("foundation", 8, "foundation", row(1.1, 0)),
    Group("tableau", 10, "tableau", row(0, 1.3), DOWNWARDS),
    Group("stock", 1, "stock", at((11.4, 0))),
    Group("waste", 1, "waste", at((11.4, 1.3))),
)

GAME = Declaration(
    name="Napoleon at St. Helena",
    summary="Forty open cards in ten columns are built down in suit, one at a time, in a single pass through the pack.",
    also_known_as=("Forty Thieves", "Big Forty", "Le Cadran"),
    groups=(foundation, tableau, stock, waste),
    pack=pack(2),
    deal=(shuffle(), rows(tableau, 4), rest(stock)),
    routes=(
        Route((tableau, waste), foundation, onto=in_suit & up, empty=base("A")),
        Route((tableau, waste), tableau, onto=in_suit & down),
        Route(tableau, tableau, empty=EVERY, keep=1),
        Route(waste, tableau, empty=EVERY),
    ),
    actions=(deal_to(waste, stock),),
    interchangeable=(Interchangeable(tableau),),
    safe_home=SafeHome(),
    score=cards_in(foundation),
    maximum=104,
    won=all_hold(foundation, 13),
)
