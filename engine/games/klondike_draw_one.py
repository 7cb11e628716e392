"""Klondike, draw one: what most people call Solitaire, with the stock turned card by card, as often as one likes."""

from cadogan.engine.buried import buried
from cadogan.engine.cards import of_rank, pack
from cadogan.engine.declaration import WELL_KNOWN, Declaration, Group, Interchangeable, Route, lay_out
from cadogan.engine.games.klondike import columns
from cadogan.engine.layout import DOWNWARDS, at, row
from cadogan.engine.parts import all_show, base, cards_in, deal_to, in_sequence, redeal, rest, shuffle, turn_up
from cadogan.engine.relations import alternating, down, in_suit, up

foundation, tableau, waste, stock = lay_out(
    Group("foundation", 4, "foundation", row(3.3, 0)),
    Group("tableau", 7, "tableau", row(0, 1.3), DOWNWARDS),
    Group("waste", 1, "waste", at((1.1, 0))),
    Group("stock", 1, "stock", at((0, 0))),
)
KINGS = of_rank("K")
RUN = in_sequence(alternating & down)

GAME = Declaration(
    name="Klondike, draw one",
    summary="Seven columns, red on black, and a stock that is turned card by card as often as you like.",
    also_known_as=("Solitaire", "Klondike (turn one)"),
    groups=(foundation, tableau, waste, stock),
    pack=pack(),
    deal=(shuffle(), columns, rest(stock)),
    routes=(
        Route((tableau, waste), foundation, onto=in_suit & up, empty=base("A")),
        Route(waste, tableau, onto=alternating & down, empty=KINGS),
        Route(tableau, tableau, onto=alternating & down, up_to=RUN),
        Route(tableau, tableau, empty=KINGS, up_to=RUN, keep=1),
        Route(foundation, tableau, onto=alternating & down, empty=KINGS),
    ),
    actions=(deal_to(waste, stock), redeal(waste, stock)),
    automatic=(turn_up(tableau),),
    interchangeable=(Interchangeable(tableau),),
    hopeless=buried(foundation, tableau, onto=alternating & down, empty=KINGS, open_piles=(stock, waste, foundation)),
    score=cards_in(foundation),
    maximum=52,
    won=all_show(foundation, "K"),
    shelf=WELL_KNOWN,
)
