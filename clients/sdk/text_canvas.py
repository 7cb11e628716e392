"""A position drawn in characters: cards, backs and empty places, and which card lies where.

>>> from clients.sdk.text_layout import PLAIN
>>> from clients.wire.bodies import PilePlace
>>> place = PilePlace(name="tableau.0", group="tableau", role="tableau", x=0, y=0, turn=0, spread="down")
>>> print(draw(arrange([place], {"tableau.0": ("--", "--", "TH", "9S")}, PLAIN)))
▒▒2▒
10♥
9♠
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from clients.sdk.session import DOWN
from clients.sdk.text_layout import Arranged, Item, Run, Scale, arrange, fit

__all__ = ["Cell", "Look", "Picture", "arrange", "card_text", "draw", "fit"]

Look = Literal["table", "black", "red", "edge", "back", "back-edge", "empty"]
"""What a cell shows: the bare table, a card of a colour, its lower edge, a card's back, its edge, an empty place."""
_SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_EDGE = "▀"


class Cell(NamedTuple):
    """One character; `pile` and `depth` (1 is the top card) say what lies there."""

    text: str
    look: Look
    pile: str | None = None
    depth: int = 0


_BARE = Cell(" ", "table")


@dataclass
class Picture:
    """Cells in rows. As text it is what a plain terminal can show."""

    width: int
    height: int
    rows: list[list[Cell]] = field(repr=False)

    def __str__(self) -> str:
        return "\n".join("".join(cell.text for cell in row).rstrip() for row in self.rows)

    def at(self, column: int, line: int) -> Cell:
        """The cell there; a bare one beyond the edges."""
        return self.rows[line][column] if 0 <= line < self.height and 0 <= column < self.width else _BARE

    def tops(self) -> dict[str, tuple[int, int, int, int]]:
        """Where each pile's top card or empty place lies: left, top, right and bottom, the last two just beyond it."""
        found: dict[str, tuple[int, int, int, int]] = {}
        for line, row in enumerate(self.rows):
            for column, cell in enumerate(row):
                if cell.pile is not None and cell.depth == 1:
                    left, top, right, _ = found.get(cell.pile, (column, line, column, line))
                    found[cell.pile] = min(left, column), top, max(right, column + 1), line + 1
        return found


def card_text(face: str) -> str:
    """A face-up card as it is printed.

    >>> card_text("TH")
    '10♥'
    """
    return ("10" if face[0] == "T" else face[0]) + _SUITS[face[1]]


def draw(arranged: Arranged, marks: Mapping[tuple[str, int], str] | None = None) -> Picture:
    """Draw an arrangement. `marks` are single characters on cards, by pile and depth."""
    rows = [[_BARE] * arranged.width for _ in range(arranged.height)]
    picture = Picture(arranged.width, arranged.height, rows)
    painters = [_Painter(picture, *placed, arranged.scale, marks or {}) for placed in arranged.items]
    for painter in painters:
        painter.paint()
    for painter in painters:
        painter.repeat()
    return picture


@dataclass
class _Painter:
    picture: Picture
    item: Item
    column: int
    line: int
    scale: Scale
    marks: Mapping[tuple[str, int], str]

    def paint(self) -> None:
        """Draw all its cards."""
        column, line = self._start
        across, down = self._way
        if not self.item.runs:
            self._empty(column, line)
        for number, run in enumerate(self.item.runs):
            self._card(run, column + number * across, line + number * down)

    def repeat(self) -> None:
        """Print the top card's face once more in its lower corner, if it is high enough and nothing lies on it."""
        _, _, wide, high = self.item.box(self.scale)
        if high < 4 or not self.item.runs or (run := self.item.runs[-1]).face == DOWN:
            return
        (column, line), (across, down) = self._start, self._way
        column, line = column + (len(self.item.runs) - 1) * across, line + (len(self.item.runs) - 1) * down
        depth = self.item.size - run.index
        corners = (self.picture.at(column + x, line + y) for x in (0, wide - 1) for y in (0, high - 1))
        if all((cell.pile, cell.depth) == (self.item.place.name, depth) for cell in corners):
            text = f"{card_text(run.face):>{wide - 1}} "
            self._line(column, line + high - 2, text, "red" if run.face[1] in "HD" else "black", depth)

    @property
    def _start(self) -> tuple[int, int]:
        left, top, _, _ = self.item.box(self.scale)
        return self.column + left, self.line + top

    @property
    def _way(self) -> tuple[int, int]:
        """From each card to the next, in columns and lines."""
        return {
            "right": (self.scale.fan, 0),
            "left": (-self.scale.fan, 0),
            "down": (0, 1),
            "up": (0, -1),
        }.get(self.item.spread, (0, 0))

    def _card(self, run: Run, column: int, line: int) -> None:
        _, _, wide, high = self.item.box(self.scale)
        depth = self.item.size - run.index
        look: Look
        edge: Look
        if run.face == DOWN:
            text = f"{run.count:▒>{wide - 1}}▒" if run.count > 1 else "▒" * wide
            look, edge = "back", "back-edge"
        else:
            text = f" {card_text(run.face)}" if wide > 4 else card_text(run.face)
            look, edge = "red" if run.face[1] in "HD" else "black", "edge"
        rest = "▒" if run.face == DOWN else " "
        covered = depth > 1 and self.item.spread != "none"
        first = f"{text:>{wide - (wide > 4)}}" if self.item.spread == "left" else text
        lines = [first.ljust(wide), *[rest * wide] * (high - 1)]
        if high > 2 and run.face != DOWN and self._is_squared:
            lines[1] = f"{self.item.size:>{wide - 1}} "
        if high > 1:
            lines[-1] = lines[0] if covered and self.item.spread == "up" else _EDGE * wide
        for row, body in enumerate(lines):
            self._line(column, line + row, body, edge if body.startswith(_EDGE) else look, depth)
        self._mark(column, line, wide, look, depth)

    @property
    def _is_squared(self) -> bool:
        return self.item.spread == "none" and not self.item.place.cards and self.item.size > 1

    def _empty(self, column: int, line: int) -> None:
        _, _, wide, high = self.item.box(self.scale)
        inner = wide - 2
        lines = ["[" + " " * inner + "]"]
        if high > 1:
            lines = ["┌" + "─" * inner + "┐", *["│" + " " * inner + "│"] * (high - 2), "└" + "─" * inner + "┘"]
        for row, text in enumerate(lines):
            self._line(column, line + row, text, "empty", 1)
        self._mark(column, line, wide, "empty", 1)

    def _mark(self, column: int, line: int, wide: int, look: Look, depth: int) -> None:
        mark = self.marks.get((self.item.place.name, depth))
        if mark is not None:
            self._line(column + wide - 1, line, mark, look, depth)

    def _line(self, column: int, line: int, text: str, look: Look, depth: int) -> None:
        if not 0 <= line < self.picture.height:
            return
        row = self.picture.rows[line]
        for offset, character in enumerate(text):
            if 0 <= column + offset < self.picture.width:
                row[column + offset] = Cell(character, look, self.item.place.name, depth)
