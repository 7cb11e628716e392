"""A picture's cells as styled text: what is held, where it may go and where one points show in colour and by a sign."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import groupby

from rich.segment import Segment
from rich.style import Style

from clients.sdk.text_canvas import Cell, Look

CLOTH = "#14532d"
CARD = "#f8f5ec"
SHADED = "#e4dfcf"
"""Every second card of a spread, so that they can be told apart."""
HELD = "#ffd75f"
TARGET = "#a8e6a1"
CURSOR = "#8ecbff"
BACK = "#31508f"

_INK: dict[Look, str] = {"black": "#1c1c1c", "red": "#b8122b"}
HELD_SIGN = "●"
TARGET_SIGN = "◆"
CURSOR_SIGN = "◂"
BARE = Style(bgcolor=CLOTH)


@dataclass(frozen=True)
class Pointing:
    """What is held (piles, and how many cards deep), where it may go, and the pile and depth one points at."""

    held: Mapping[str, int]
    targets: Collection[str] = ()
    cursor: tuple[str, int] | None = None

    def signs(self) -> dict[tuple[str, int], str]:
        """The signs on cards, by pile and depth."""
        signs = {(self.cursor[0], self.cursor[1]): CURSOR_SIGN} if self.cursor else {}
        signs |= {(pile, 1): TARGET_SIGN for pile in self.targets}
        return signs | dict.fromkeys(self.held.items(), HELD_SIGN)

    def tint(self, cell: Cell) -> str | None:
        """The colour a cell's card takes, if it is not its own."""
        if cell.pile is None:
            return None
        if cell.depth <= self.held.get(cell.pile, 0):
            return HELD
        if self.cursor is not None and self.cursor[0] == cell.pile and cell.depth <= self.cursor[1]:
            return CURSOR
        return TARGET if cell.pile in self.targets and cell.depth == 1 else None


NOTHING = Pointing({})


def style_of(cell: Cell, pointing: Pointing) -> Style:
    """How one cell is shown."""
    tint = pointing.tint(cell)
    match cell.look:
        case "table":
            return BARE
        case "black" | "red":
            return Style(color=_INK[cell.look], bgcolor=tint or (CARD if cell.depth % 2 else SHADED), bold=True)
        case "edge":
            return Style(color=tint or (CARD if cell.depth % 2 else SHADED), bgcolor=CLOTH)
        case "back":
            if cell.text.isdigit():
                return Style(color="#ffffff", bgcolor=BACK, bold=True)
            return Style(color=tint or "#7d97cf", bgcolor=BACK)
        case "back-edge":
            return Style(color=tint or BACK, bgcolor=CLOTH)
        case "empty":
            return Style(color=tint or "#4d9a6c", bgcolor=CLOTH, bold=tint is not None)


def segments(row: list[Cell], pointing: Pointing) -> list[Segment]:
    """One row of a picture."""
    styled = ((cell.text, style_of(cell, pointing)) for cell in row)
    return [
        Segment("".join(text for text, _ in group), style) for style, group in groupby(styled, key=lambda one: one[1])
    ]
