"""Golf: seven open columns are played off one by one, up or down in rank, on the card last turned."""

from cadogan.engine.cards import pack
from cadogan.engine.declaration import WELL_KNOWN, Declaration, Group, Interchangeable, Route, lay_out
from cadogan.engine.layout import DOWNWARDS, at, row
from cadogan.engine.parts import deal_to, is_empty, rest, rows, shuffle
from cadogan.engine.relations import neighbour
from cadogan.engine.translatable_text import translatable

column, waste, stock = lay_out(
    Group("column", 7, "reserve", row(0, 0), DOWNWARDS),
    Group("waste", 1, "waste", at((3.3, 2.6))),
    Group("stock", 1, "stock", at((2.2, 2.6))),
)

GAME = Declaration(
    name="Golf",
    summary="Seven open columns are played off one by one, up or down in rank, on the card last turned.",
    also_known_as=("Golf Solitaire",),
    groups=(column, waste, stock),
    pack=pack(),
    deal=(shuffle(), rows(column, 5), rows(waste), rest(stock)),
    routes=(Route(column, waste, onto=neighbour),),
    actions=(deal_to(waste, stock),),
    interchangeable=(Interchangeable(column),),
    in_brief={
        "waste": (translatable("Play a card that is one rank higher or lower; ace and king are no neighbours."),)
    },
    score=lambda position: 35 - column.size(position),
    maximum=35,
    won=is_empty(column),
    home=lambda position: 35 - column.size(position),
    shelf=WELL_KNOWN,
)
