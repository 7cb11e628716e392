"""The table as a widget: shows a position, and says which card is tapped."""

from collections.abc import Collection, Mapping, Sequence
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from clients.sdk.session import Faces
from clients.sdk.text_canvas import TextCanvas, draw
from clients.sdk.text_layout import SCALES, lay_out_to_fit
from clients.terminal.styles import BARE, NOTHING, Pointing, segments
from clients.wire.bodies import PilePlace


class TableView(ScrollView, can_focus=True):
    """Draws the piles of a layout as large as they fit, and lets one point at cards by keys and by mouse."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "point(-1, 0)", "Point", show=False),
        Binding("right,l", "point(1, 0)", "Point", show=False),
        Binding("up,k", "point(0, -1)", "Point", show=False),
        Binding("down,j", "point(0, 1)", "Point", show=False),
        Binding("enter,space", "tap", "Take or lay", key_display="↵"),
        Binding("plus,equals_sign", "deeper(1)", "More cards", show=False),
        Binding("minus", "deeper(-1)", "Fewer cards", show=False),
    ]
    DEFAULT_CSS = """
    TableView { background: #14532d; scrollbar-size-horizontal: 1; scrollbar-size-vertical: 1; }
    """

    class Tapped(Message):
        """A card was tapped; `depth` counts from the top of its pile, which is 1."""

        def __init__(self, pile: str, depth: int) -> None:
            super().__init__()
            self.pile = pile
            self.depth = depth

    class TappedTwice(Tapped):
        """A card was tapped twice at once."""

    class Pointed(Message):
        """One points at another pile now."""

        def __init__(self, pile: str) -> None:
            super().__init__()
            self.pile = pile

    class Deepened(Message):
        """More cards are wanted, or fewer."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    def __init__(self, places: Sequence[PilePlace]) -> None:
        super().__init__()
        self._places = places
        self._piles: Mapping[str, Faces] = {}
        self._held: Mapping[str, int] = {}
        self._targets: Collection[str] = ()
        self._cursor: tuple[str, int] | None = None
        self._picture: TextCanvas | None = None
        self._pointing = NOTHING
        self._scale = SCALES[0]
        self._pressed: tuple[str, int] | None = None

    def show(
        self, piles: Mapping[str, Faces], held: Mapping[str, int] | None = None, targets: Collection[str] = ()
    ) -> None:
        """Show a position, what is held of it (piles and how many cards deep) and where that may go."""
        self._piles, self._held, self._targets = piles, held or {}, targets
        self._draw()

    @property
    def cursor(self) -> tuple[str, int] | None:
        """The pile and depth one points at."""
        return self._cursor

    def point_at(self, pile: str, depth: int = 1) -> None:
        """Point at a card, and bring it into sight."""
        depth = max(1, min(depth, len(self._piles.get(pile, ())) or 1))
        moved = self._cursor is None or self._cursor[0] != pile
        self._cursor = (pile, depth)
        self._draw()
        if self._picture is not None and pile in (tops := self._picture.top_card_boxes()):
            left, top, right, bottom = tops[pile]
            region = Region(left + self._margin[0], top + self._margin[1], right - left, bottom - top)
            self.scroll_to_region(region, animate=False)
        if moved:
            self.post_message(self.Pointed(pile))

    def render_line(self, y: int) -> Strip:
        """One line of what is in sight."""
        width = self.size.width
        if self._picture is None:
            return Strip.blank(width, BARE)
        left, top = self._margin
        line = y + self.scroll_offset.y - top
        drawn = segments(self._picture.rows[line], self._pointing) if 0 <= line < self._picture.height else []
        strip = Strip([Segment(" " * left, BARE), *drawn])
        scrolled = self.scroll_offset.x
        return strip.extend_cell_length(scrolled + width, BARE).crop(scrolled, scrolled + width)

    def action_point(self, across: int, down: int) -> None:
        """Point at the nearest pile in a direction."""
        if self._picture is None:
            return
        tops = self._picture.top_card_boxes()
        if self._cursor is None or self._cursor[0] not in tops:
            if tops:
                self.point_at(next(iter(tops)))
            return
        here = tops[self._cursor[0]]
        found = {pile: cost for pile, box in tops.items() if (cost := _cost(here, box, across, down)) is not None}
        if found:
            self.point_at(min(found, key=lambda pile: found[pile]))

    def action_deeper(self, step: int) -> None:
        """Ask for more cards of the pile, or fewer."""
        if self._held:
            self.post_message(self.Deepened(step))
        elif self._cursor is not None:
            self.point_at(self._cursor[0], self._cursor[1] + step)

    def action_tap(self) -> None:
        """Tap what one points at."""
        if self._cursor is not None:
            self.post_message(self.Tapped(*self._cursor))

    def on_resize(self) -> None:
        """Draw it as large as it fits now."""
        self._scale = SCALES[0]
        self._draw()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Remember where a drag may begin."""
        self._pressed = self._card_at(event)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """A tap where it was pressed; else a drag: a tap here and a tap there."""
        pressed, self._pressed = self._pressed, None
        released = self._card_at(event)
        if pressed is None or released is None:
            return
        if pressed[0] != released[0] and not self._held:
            self.post_message(self.Tapped(*pressed))
        self.point_at(*released)
        self.post_message(self.Tapped(*released))

    def on_click(self, event: events.Click) -> None:
        """The second click of two goes to the best place."""
        card = self._card_at(event)
        if event.chain == 2 and card is not None:
            self.post_message(self.TappedTwice(*card))

    @property
    def _margin(self) -> tuple[int, int]:
        """What is left of the picture and above it; a table of few rows hangs a little below the upper edge."""
        if self._picture is None:
            return 0, 0
        return (
            max(0, (self.outer_size.width - self._picture.width) // 2),
            max(0, min(1, self.outer_size.height - self._picture.height)),
        )

    def _card_at(self, event: events.MouseEvent) -> tuple[str, int] | None:
        if self._picture is None:
            return None
        left, top = self._margin
        column, line = event.x + self.scroll_offset.x - left, event.y + self.scroll_offset.y - top
        cell = self._picture.at(int(column), int(line))
        return None if cell.pile is None else (cell.pile, cell.depth)

    def _draw(self) -> None:
        width, height = self.outer_size
        if not width or not height or not self._piles:
            self._picture = None
            self.refresh()
            return
        arranged = lay_out_to_fit(self._places, self._piles, width, height, self._scale)
        self._scale = arranged.scale
        self._pointing = Pointing(self._held, self._targets, self._cursor if self.has_focus else None)
        self._picture = draw(arranged, self._pointing.signs())
        self.virtual_size = Size(self._picture.width, self._picture.height)
        self.refresh()

    def on_focus(self) -> None:
        """Show where one points."""
        self._draw()

    def on_blur(self) -> None:
        """Show no more where one points."""
        self._draw()


def _cost(here: tuple[int, int, int, int], there: tuple[int, int, int, int], across: int, down: int) -> float | None:
    """How far a pile is in a direction, aside counting more; None if it is not there. A line is two columns high."""
    if across:
        ahead = ((there[0] + there[2]) - (here[0] + here[2])) / 4 * across
        apart: float = max(0, there[1] - here[3], here[1] - there[3])
        askew = abs(there[1] + there[3] - here[1] - here[3]) / 2
    else:
        ahead = ((there[1] + there[3]) - (here[1] + here[3])) / 2 * down
        apart = max(0, there[0] - here[2], here[0] - there[2]) / 2
        askew = abs(there[0] + there[2] - here[0] - here[2]) / 4
    return ahead + 3 * apart + askew / 2 if ahead > 0 else None
