"""Mount Olympus: odd cards are built up on aces and even cards on twos, in steps of two ranks."""

from cadogan.engine.cards import ANY, pack, rank
from cadogan.engine.declaration import Declaration, Group, Interchangeable, Route, counters, lay_out
from cadogan.engine.layout import DOWNWARDS, Place, at, row
from cadogan.engine.parts import cards_in, deal_to, redeal, rest, rows, set_out, shuffle
from cadogan.engine.relations import Relation, in_suit, step
from cadogan.engine.translatable_text import translatable


def pyramid(number: int) -> Place:
    """Rows of one, three, five and seven, in which aces and twos alternate."""
    place = 2 * number if number < 8 else 2 * number - 15
    line = int(place**0.5)
    return 4 - line + place - line * line, 1.1 * line


foundation, battery, waste, stock = lay_out(
    Group("foundation", 16, "foundation", pyramid),
    Group("battery", 9, "tableau", row(0, 4.7, 1.05), DOWNWARDS),
    Group("waste", 1, "waste", at((1.1, 0))),
    Group("stock", 1, "stock", at((0, 0))),
)
(redeals,) = counters(redeals=1)
on_five_or_more = Relation(lambda card, top: rank(top) >= 5)
"""Nothing goes on a battery 3 or 4: the aces and twos are all set out."""
BASES = "AS AH AD AC AS AH AD AC 2S 2H 2D 2C 2S 2H 2D 2C"

GAME = Declaration(
    name="Mount Olympus",
    summary="Odd cards climb from the aces to the kings, even cards from the twos to the queens, two ranks at a step.",
    also_known_as=("Der Olymp",),
    groups=(foundation, battery, waste, stock),
    counters=(redeals,),
    pack=pack(2),
    deal=(set_out(foundation, BASES), shuffle(), rows(battery), rest(stock)),
    routes=(
        Route((battery, waste), foundation, onto=in_suit & step(2)),
        Route((battery, waste), battery, onto=in_suit & step(-2) & on_five_or_more),
        Route((waste, stock), battery, empty=ANY),
    ),
    actions=(deal_to(waste, stock), redeal(waste, stock, redeals)),
    interchangeable=(Interchangeable(foundation), Interchangeable(battery)),
    in_brief={
        "foundation": (translatable("Build up in suit by two ranks."),),
        "battery": (translatable("Build down in suit by two ranks."),),
    },
    score=cards_in(foundation),
    maximum=104,
    won=lambda position: foundation.size(position) == 104,
)
