"""Light and Shade: every card must pass through one of four auxiliary packets on its way to eight alternating piles."""

from cadogan.engine.cards import EVERY, pack
from cadogan.engine.declaration import Declaration, Group, Interchangeable, Route, lay_out
from cadogan.engine.layout import RIGHTWARDS, at, column, grid, row
from cadogan.engine.parts import all_hold, cards_in, deal_to, rest, rows, set_out, shuffle
from cadogan.engine.relations import alternating, down, up
from cadogan.engine.translatable_text import translatable

stock, waste, foundation, auxiliaries, rivals = lay_out(
    Group("stock", 1, "stock", at((9.3, 0))),
    Group("waste", 1, "waste", at((9.3, 1.15))),
    Group("foundation", 8, "foundation", row(0, 2.5)),
    Group("auxiliaries", 4, "tableau", row(0, 0, 2.2), RIGHTWARDS),
    Group("rivals", 4, "reserve", row(0, 1.15, 2.2)),
)

GAME = Declaration(
    name="Light and Shade",
    summary="Eight aces go up in alternating colours, and every card must first pass through an auxiliary packet.",
    groups=(stock, waste, foundation, auxiliaries, rivals),
    pack=pack(2),
    deal=(
        set_out(foundation, "AS AH AC AD AS AH AC AD"),
        shuffle(),
        rows(auxiliaries),
        rows(rivals),
        rest(stock),
    ),
    routes=(
        Route(auxiliaries, foundation, onto=alternating & up),
        Route((rivals, waste), auxiliaries, onto=alternating & down),
        Route(rivals, auxiliaries, empty=EVERY),
        Route(waste, rivals, empty=EVERY),
    ),
    actions=(deal_to(waste, stock),),
    interchangeable=(Interchangeable(foundation), Interchangeable(auxiliaries), Interchangeable(rivals)),
    in_brief={
        "foundation": (translatable("Cards come here from these piles only: {pile}.", pile="auxiliaries"),),
    },
    score=cards_in(foundation),
    maximum=104,
    won=all_hold(foundation, 13),
    tall={"rivals": column(0, 0, 1.08), "auxiliaries": column(1.12, 0, 1.08)},
    wide={"rivals": grid(2, 0, 0, 6.3, 1.08), "auxiliaries": grid(2, 1.12, 0, 6.3, 1.08)},
)
