"""Klondike, draw three: as draw one, with the stock turned in threes."""

from dataclasses import replace

from cadogan.engine.declaration import Action
from cadogan.engine.games import klondike_draw_one
from cadogan.engine.games.klondike_draw_one import stock, waste
from cadogan.engine.parts import holds_cards, redeal
from cadogan.engine.table import Table


def turn_three(table: Table) -> None:
    """Turn three cards, or those that are left, one after the other."""
    for _ in range(min(3, len(table.piles[stock.start]))):
        table.move(stock.start, waste.start)


GAME = replace(
    klondike_draw_one.GAME,
    name="Klondike, draw three",
    summary="Seven columns, red on black, and a stock that is turned in threes as often as you like.",
    also_known_as=("Solitaire", "Klondike (turn three)"),
    actions=(Action("deal", holds_cards(stock), turn_three), redeal(waste, stock)),
)
