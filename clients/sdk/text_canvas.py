"""Draw a laid-out position in characters: cards, card backs and empty piles. Each cell refers to its card.

>>> from cadogan.sdk.text_layout import PLAIN_SCALE, lay_out
>>> from cadogan.wire.bodies import PilePlace
>>> place = PilePlace(name="tableau.0", group="tableau", role="tableau", x=0, y=0, turn=0, spread="down")
>>> print(draw(lay_out([place], {"tableau.0": ("--", "--", "TH", "9S")}, PLAIN_SCALE)))
▒▒2▒
10♥
9♠
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from cadogan.sdk.session import DOWN
from cadogan.sdk.text_layout import CardRun, Item, Scale, TextLayout

Look = Literal["table", "black", "red", "edge", "back", "back-edge", "empty"]
"""The content of a cell: the table, a black or red card or its lower edge, a card's back or its edge, an empty pile."""
_SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_EDGE = "▀"


class Cell(NamedTuple):
    """One character. `pile` and `depth` say which card it belongs to; the top card of a pile has depth 1."""

    text: str
    look: Look
    pile: str | None = None
    depth: int = 0


_TABLE = Cell(" ", "table")


@dataclass
class TextCanvas:
    """A rectangle of cells, row by row. `str(canvas)` is its plain text."""

    width: int
    height: int
    rows: list[list[Cell]] = field(repr=False)

    def __str__(self) -> str:
        return "\n".join("".join(cell.text for cell in row).rstrip() for row in self.rows)

    def at(self, column: int, line: int) -> Cell:
        """Return the cell at this place; outside the canvas, an empty cell."""
        return self.rows[line][column] if 0 <= line < self.height and 0 <= column < self.width else _TABLE

    def top_card_boxes(self) -> dict[str, tuple[int, int, int, int]]:
        """Return each pile's top card or empty place as left, top, right and bottom; right and bottom are exclusive."""
        found: dict[str, tuple[int, int, int, int]] = {}
        for line, row in enumerate(self.rows):
            for column, cell in enumerate(row):
                if cell.pile is not None and cell.depth == 1:
                    left, top, right, _ = found.get(cell.pile, (column, line, column, line))
                    found[cell.pile] = min(left, column), top, max(right, column + 1), line + 1
        return found


def card_text(face: str) -> str:
    """Return a face-up card as it is printed.

    >>> card_text("TH")
    '10♥'
    """
    return ("10" if face[0] == "T" else face[0]) + _SUITS[face[1]]


def draw(layout: TextLayout, marks: Mapping[tuple[str, int], str] | None = None) -> TextCanvas:
    """Draw a layout. `marks` are single characters to draw on cards, by pile and depth (1 is the top card)."""
    rows = [[_TABLE] * layout.width for _ in range(layout.height)]
    canvas = TextCanvas(layout.width, layout.height, rows)
    painters = [_Painter(canvas, *placed, layout.scale, marks or {}) for placed in layout.items]
    for painter in painters:
        painter.paint()
    for painter in painters:
        painter.paint_corner()
    return canvas


@dataclass
class _Painter:
    """Paints one item of a layout."""

    canvas: TextCanvas
    item: Item
    column: int
    line: int
    scale: Scale
    marks: Mapping[tuple[str, int], str]

    def paint(self) -> None:
        """Paint all cards of the item, or its empty place."""
        column, line = self._start
        across, down = self._step
        if not self.item.runs:
            self._paint_empty(column, line)
        for number, run in enumerate(self.item.runs):
            self._paint_card(run, column + number * across, line + number * down)

    def paint_corner(self) -> None:
        """Paint the top card's face again in its lower corner, if the card is high enough and nothing covers it."""
        _, _, width, height = self.item.card_box(self.scale)
        if height < 4 or not self.item.runs or (run := self.item.runs[-1]).face == DOWN:
            return
        (column, line), (across, down) = self._start, self._step
        column, line = column + (len(self.item.runs) - 1) * across, line + (len(self.item.runs) - 1) * down
        depth = self.item.size - run.index
        corners = (self.canvas.at(column + x, line + y) for x in (0, width - 1) for y in (0, height - 1))
        if all((cell.pile, cell.depth) == (self.item.place.name, depth) for cell in corners):
            text = f"{card_text(run.face):>{width - 1}} "
            self._paint_line(column, line + height - 2, text, "red" if run.face[1] in "HD" else "black", depth)

    @property
    def _start(self) -> tuple[int, int]:
        left, top, _, _ = self.item.card_box(self.scale)
        return self.column + left, self.line + top

    @property
    def _step(self) -> tuple[int, int]:
        """The step from each card to the next, in columns and lines."""
        return {
            "right": (self.scale.fan_step, 0),
            "left": (-self.scale.fan_step, 0),
            "down": (0, 1),
            "up": (0, -1),
        }.get(self.item.spread, (0, 0))

    def _paint_card(self, run: CardRun, column: int, line: int) -> None:
        _, _, width, height = self.item.card_box(self.scale)
        depth = self.item.size - run.index
        look: Look
        edge: Look
        if run.face == DOWN:
            text = f"{run.count:▒>{width - 1}}▒" if run.count > 1 else "▒" * width
            look, edge = "back", "back-edge"
        else:
            text = f" {card_text(run.face)}" if width > 4 else card_text(run.face)
            look, edge = "red" if run.face[1] in "HD" else "black", "edge"
        rest = "▒" if run.face == DOWN else " "
        covered = depth > 1 and self.item.spread != "none"
        first = f"{text:>{width - (width > 4)}}" if self.item.spread == "left" else text
        lines = [first.ljust(width), *[rest * width] * (height - 1)]
        if height > 2 and run.face != DOWN and self._is_stacked:
            lines[1] = f"{self.item.size:>{width - 1}} "
        if height > 1:
            lines[-1] = lines[0] if covered and self.item.spread == "up" else _EDGE * width
        for row, body in enumerate(lines):
            self._paint_line(column, line + row, body, edge if body.startswith(_EDGE) else look, depth)
        self._paint_mark(column, line, width, look, depth)

    @property
    def _is_stacked(self) -> bool:
        return self.item.spread == "none" and not self.item.place.cards and self.item.size > 1

    def _paint_empty(self, column: int, line: int) -> None:
        _, _, width, height = self.item.card_box(self.scale)
        inner = width - 2
        lines = ["[" + " " * inner + "]"]
        if height > 1:
            lines = ["┌" + "─" * inner + "┐", *["│" + " " * inner + "│"] * (height - 2), "└" + "─" * inner + "┘"]
        for row, text in enumerate(lines):
            self._paint_line(column, line + row, text, "empty", 1)
        self._paint_mark(column, line, width, "empty", 1)

    def _paint_mark(self, column: int, line: int, width: int, look: Look, depth: int) -> None:
        mark = self.marks.get((self.item.place.name, depth))
        if mark is not None:
            self._paint_line(column + width - 1, line, mark, look, depth)

    def _paint_line(self, column: int, line: int, text: str, look: Look, depth: int) -> None:
        if not 0 <= line < self.canvas.height:
            return
        row = self.canvas.rows[line]
        for offset, character in enumerate(text):
            if 0 <= column + offset < self.canvas.width:
                row[column + offset] = Cell(character, look, self.item.place.name, depth)
