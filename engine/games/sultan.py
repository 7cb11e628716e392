"""The Sultan: eight heaps of the harem are built round the king of hearts until he lies among eight queens."""

from cadogan.engine.cards import pack
from cadogan.engine.declaration import Declaration, Group, Interchangeable, Route, counters, lay_out
from cadogan.engine.layout import at, column, joined
from cadogan.engine.parts import all_show, cards_in, deal_to, redeal, refill, rest, rows, set_out, shuffle
from cadogan.engine.relations import following, in_suit
from cadogan.engine.translatable_text import translatable

stock, waste, foundation, sultan, divan = lay_out(
    Group("stock", 1, "stock", at((2.05, 4.6))),
    Group("waste", 1, "waste", at((3.15, 4.6))),
    Group(
        "foundation",
        8,
        "foundation",
        at((1.5, 0.55), (3.7, 0.55), (2.6, 2.75), (1.5, 1.65), (3.7, 1.65), (1.5, 2.75), (3.7, 2.75), (2.6, 0.55)),
    ),
    Group("sultan", 1, "discard", at((2.6, 1.65))),
    Group("divan", 8, "reserve", joined((4, column(0, 0)), (4, column(5.2, 0)))),
)
(redeals,) = counters(redeals=2)

GAME = Declaration(
    name="The Sultan",
    summary="The heaps of the harem are built round the king of hearts until he sits among eight queens.",
    also_known_as=("Sultan of Turkey", "Emperor of Germany"),
    groups=(stock, waste, foundation, sultan, divan),
    counters=(redeals,),
    pack=pack(2),
    deal=(
        set_out(foundation, "KS KS KH KD KD KC KC AH"),
        set_out(sultan, "KH"),
        shuffle(),
        rows(divan),
        rest(stock),
    ),
    routes=(Route((divan, waste), foundation, onto=in_suit & following("KA23456789TJQ")),),
    actions=(deal_to(waste, stock), redeal(waste, stock, redeals, shuffled=True)),
    automatic=(refill(divan, waste, stock, only_emptied=True),),
    interchangeable=(Interchangeable(foundation), Interchangeable(divan)),
    in_brief={
        "divan": (
            translatable("Cards go to the foundations only."),
            translatable("An empty place is filled by itself."),
        ),
    },
    score=cards_in(foundation),
    maximum=103,
    won=all_show(foundation, "Q"),
)
