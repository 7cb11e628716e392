"""The table widget: it shows a position, and reports taps on cards."""

from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from cadogan.sdk.session import Faces
from cadogan.sdk.text_canvas import TextCanvas, draw
from cadogan.sdk.text_layout import SCALES, choose_places, lay_out_to_fit
from cadogan.terminal.formatting import name_as_in
from cadogan.terminal.game.styles import NO_HIGHLIGHTS, TABLE_STYLE, Highlights, style_row
from cadogan.wire.bodies import PilePlace, RulesPage


class TableView(ScrollView, can_focus=True):
    """Draws the piles of a game as large as they fit. The player points at cards and taps them, with keys or mouse."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "point(-1, 0)", "terminal.key_point", show=False),
        Binding("right", "point(1, 0)", "terminal.key_point", show=False),
        Binding("up", "point(0, -1)", "terminal.key_point", show=False),
        Binding("down", "point(0, 1)", "terminal.key_point", show=False),
        Binding("enter,space", "tap", "terminal.pick", key_display="↵"),
        Binding("plus,equals_sign", "change_count(1)", "terminal.key_count", show=False),
        Binding("minus", "change_count(-1)", "terminal.key_count", show=False),
    ]
    DEFAULT_CSS = """
    TableView { background: #14532d; scrollbar-size-horizontal: 1; scrollbar-size-vertical: 1; }
    """

    class Tapped(Message):
        """A card was tapped. `depth` is its depth in the pile; the top card has depth 1."""

        def __init__(self, pile: str, depth: int) -> None:
            super().__init__()
            self.pile = pile
            self.depth = depth

    class DoubleTapped(Tapped):
        """A card was tapped twice quickly."""

    class CursorMoved(Message):
        """The cursor is at another pile now."""

        def __init__(self, pile: str) -> None:
            super().__init__()
            self.pile = pile

    class CountChanged(Message):
        """The player wants to select more cards (`step` 1) or fewer (-1)."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    def __init__(self, rules: RulesPage) -> None:
        super().__init__()
        self._rules = rules
        name_as_in(rules.slug)
        self._places: Sequence[PilePlace] | None = None
        """The layout chosen for the window; None before."""
        self.piles: Mapping[str, Faces] = {}
        """The cards that are shown, by pile."""
        self._selected: Mapping[str, int] = {}
        self._targets: Collection[str] = ()
        self._cursor: tuple[str, int] | None = None
        self.canvas: TextCanvas | None = None
        """The drawn canvas; None while there is no space or nothing to draw."""
        self._highlights = NO_HIGHLIGHTS
        self._scale = SCALES[0]
        self._pressed: tuple[str, int] | None = None

    def show(
        self, piles: Mapping[str, Faces], selected: Mapping[str, int] | None = None, targets: Collection[str] = ()
    ) -> None:
        """Show the cards of each pile, the number of selected cards by pile, and the target piles."""
        self.piles, self._selected, self._targets = piles, selected or {}, targets
        self._draw()

    @property
    def cursor(self) -> tuple[str, int] | None:
        """The pile and depth at which the cursor is; None before the player has pointed at a card."""
        return self._cursor

    def point_at(self, pile: str, depth: int = 1) -> None:
        """Move the cursor to a card, and scroll so that it is visible."""
        depth = max(1, min(depth, len(self.piles.get(pile, ())) or 1))
        moved = self._cursor is None or self._cursor[0] != pile
        self._cursor = (pile, depth)
        self._draw()
        if self.canvas is not None and pile in (boxes := self.canvas.top_card_boxes()):
            left, top, right, bottom = boxes[pile]
            region = Region(left + self.margins[0], top + self.margins[1], right - left, bottom - top)
            self.scroll_to_region(region, animate=False)
        if moved:
            self.post_message(self.CursorMoved(pile))

    def render_line(self, y: int) -> Strip:
        """Return one visible line."""
        width = self.size.width
        if self.canvas is None:
            return Strip.blank(width, TABLE_STYLE)
        left, top = self.margins
        line = y + self.scroll_offset.y - top
        drawn = style_row(self.canvas.rows[line], self._highlights) if 0 <= line < self.canvas.height else []
        strip = Strip([Segment(" " * left, TABLE_STYLE), *drawn])
        scrolled = self.scroll_offset.x
        return strip.extend_cell_length(scrolled + width, TABLE_STYLE).crop(scrolled, scrolled + width)

    def action_point(self, across: int, down: int) -> None:
        """Move the cursor to the nearest pile in a direction: `across` or `down` is 1 or -1."""
        if self.canvas is None:
            return
        boxes = self.canvas.top_card_boxes()
        if self._cursor is None or self._cursor[0] not in boxes:
            if boxes:
                self.point_at(next(iter(boxes)))
            return
        here = boxes[self._cursor[0]]
        distances = {pile: _pile_distance(here, box, across, down) for pile, box in boxes.items()}
        ahead = {pile: distance for pile, distance in distances.items() if distance is not None}
        if ahead:
            self.point_at(min(ahead, key=ahead.__getitem__))

    def action_change_count(self, step: int) -> None:
        """Select more cards (`step` 1) or fewer (-1); without a selection, move the cursor deeper or higher."""
        if self._selected:
            self.post_message(self.CountChanged(step))
        elif self._cursor is not None:
            self.point_at(self._cursor[0], self._cursor[1] + step)

    def action_tap(self) -> None:
        """Tap the card at the cursor."""
        if self._cursor is not None:
            self.post_message(self.Tapped(*self._cursor))

    def on_resize(self) -> None:
        """Draw the table as large as it fits now."""
        self._scale = SCALES[0]
        self._places = None
        self._draw()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Remember the card on which a drag may begin."""
        self._pressed = self._card_at(event)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Tap the card. After a drag, tap the card where it began and the one where it ended."""
        pressed, self._pressed = self._pressed, None
        released = self._card_at(event)
        if pressed is None or released is None:
            return
        if pressed[0] != released[0] and not self._selected:
            self.post_message(self.Tapped(*pressed))
        self.point_at(*released)
        self.post_message(self.Tapped(*released))

    def on_click(self, event: events.Click) -> None:
        """Report the second of two quick clicks as a double tap."""
        card = self._card_at(event)
        if event.chain == 2 and card is not None:
            self.post_message(self.DoubleTapped(*card))

    @property
    def margins(self) -> tuple[int, int]:
        """The columns left of the canvas and the lines above it."""
        if self.canvas is None:
            return 0, 0
        return (
            max(0, (self.outer_size.width - self.canvas.width) // 2),
            max(0, min(1, self.outer_size.height - self.canvas.height)),
        )

    def _card_at(self, event: events.MouseEvent) -> tuple[str, int] | None:
        if self.canvas is None:
            return None
        left, top = self.margins
        column, line = event.x + self.scroll_offset.x - left, event.y + self.scroll_offset.y - top
        cell = self.canvas.at(int(column), int(line))
        return None if cell.pile is None else (cell.pile, cell.depth)

    def _draw(self) -> None:
        width, height = self.outer_size
        if not width or not height or not self.piles:
            self.canvas = None
            self.refresh()
            return
        if self._places is None:
            self._places = choose_places(self._rules, self.piles, width, height)
        layout = lay_out_to_fit(self._places, self.piles, width, height, self._scale)
        self._scale = layout.scale
        self._highlights = Highlights(self._selected, self._targets, self._cursor if self.has_focus else None)
        self.canvas = draw(layout, self._highlights.signs())
        self.virtual_size = Size(self.canvas.width, self.canvas.height)
        self.refresh()

    def on_focus(self) -> None:
        """Show the cursor."""
        self._draw()

    def on_blur(self) -> None:
        """Hide the cursor."""
        self._draw()


Box = tuple[int, int, int, int]
"""Left, top, right and bottom; right and bottom are exclusive."""


def _pile_distance(here: Box, there: Box, across: int, down: int) -> float | None:
    """Return how far a pile is in a direction; None if it is not there.

    Distance to the side counts more than distance ahead. A line counts as high as two columns.
    """
    if across:
        ahead = ((there[0] + there[2]) - (here[0] + here[2])) / 4 * across
        apart: float = max(0, there[1] - here[3], here[1] - there[3])
        askew = abs(there[1] + there[3] - here[1] - here[3]) / 2
    else:
        ahead = ((there[1] + there[3]) - (here[1] + here[3])) / 2 * down
        apart = max(0, there[0] - here[2], here[0] - there[2]) / 2
        askew = abs(there[0] + there[2] - here[0] - here[2]) / 4
    return ahead + 3 * apart + askew / 2 if ahead > 0 else None
