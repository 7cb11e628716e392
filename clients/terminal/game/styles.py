"""Styles for the cells of a text canvas. Selected cards, targets and the cursor have a colour and a sign."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import groupby

from rich.segment import Segment
from rich.style import Style

from cadogan.sdk.text_canvas import Cell, Look

TABLE_COLOUR = "#14532d"
CARD = "#f8f5ec"
SHADED_CARD = "#e4dfcf"
"""The colour of every second card of a spread pile, to tell the cards apart."""
SELECTED = "#ffd75f"
TARGET = "#a8e6a1"
CURSOR = "#8ecbff"
BACK = "#31508f"

_INK: dict[Look, str] = {"black": "#1c1c1c", "red": "#b8122b"}
SELECTED_SIGN = "●"
TARGET_SIGN = "◆"
CURSOR_SIGN = "◂"
TABLE_STYLE = Style(bgcolor=TABLE_COLOUR)


@dataclass(frozen=True)
class Highlights:
    """What to highlight: selected piles with the number of cards, target piles, and the cursor as pile and depth."""

    selected: Mapping[str, int]
    targets: Collection[str] = ()
    cursor: tuple[str, int] | None = None

    def signs(self) -> dict[tuple[str, int], str]:
        """Return the signs to draw on cards, by pile and depth (1 is the top card)."""
        signs = {(self.cursor[0], self.cursor[1]): CURSOR_SIGN} if self.cursor else {}
        signs |= {(pile, 1): TARGET_SIGN for pile in self.targets}
        return signs | dict.fromkeys(self.selected.items(), SELECTED_SIGN)

    def tint(self, cell: Cell) -> str | None:
        """Return the colour of a highlighted cell; None for a cell that is not highlighted."""
        if cell.pile is None:
            return None
        if cell.depth <= self.selected.get(cell.pile, 0):
            return SELECTED
        if self.cursor is not None and self.cursor[0] == cell.pile and cell.depth <= self.cursor[1]:
            return CURSOR
        return TARGET if cell.pile in self.targets and cell.depth == 1 else None


NO_HIGHLIGHTS = Highlights({})


def cell_style(cell: Cell, highlights: Highlights) -> Style:
    """Return the style of one cell."""
    tint = highlights.tint(cell)
    match cell.look:
        case "table":
            return TABLE_STYLE
        case "black" | "red":
            return Style(color=_INK[cell.look], bgcolor=tint or (CARD if cell.depth % 2 else SHADED_CARD), bold=True)
        case "edge":
            return Style(color=tint or (CARD if cell.depth % 2 else SHADED_CARD), bgcolor=TABLE_COLOUR)
        case "back":
            if cell.text.isdigit():
                return Style(color="#ffffff", bgcolor=BACK, bold=True)
            return Style(color=tint or "#7d97cf", bgcolor=BACK)
        case "back-edge":
            return Style(color=tint or BACK, bgcolor=TABLE_COLOUR)
        case "empty":
            return Style(color=tint or "#4d9a6c", bgcolor=TABLE_COLOUR, bold=tint is not None)


def style_row(row: list[Cell], highlights: Highlights) -> list[Segment]:
    """Return one row of a canvas as styled text."""
    styled = ((cell.text, cell_style(cell, highlights)) for cell in row)
    return [
        Segment("".join(text for text, _ in group), style) for style, group in groupby(styled, key=lambda one: one[1])
    ]
