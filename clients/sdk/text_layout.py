"""Lay out the piles of a game on a screen of characters: rows and columns make room for spread piles.

The server's layout is in card widths and heights. Here every pile keeps its row and its column. The distance to the
previous row or column is given by the scale, or larger if spread piles between them need it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cadogan.sdk.session import DOWN, Faces
from cadogan.wire.bodies import Layout, PilePlace, RulesPage

CARD_ASPECT_RATIO = 1.4
"""A card's height in card widths."""


@dataclass(frozen=True)
class Scale:
    """The size of the cards, in characters.

    `column_width` is a card's width with the gap beside it, `card_height` its height in lines, and `fan_step` how many
    columns of a covered card are visible in a pile that spreads sideways.
    """

    column_width: int
    card_height: int
    fan_step: int = 4

    @property
    def card_width(self) -> int:
        """A card's width without the gap."""
        return self.column_width - 1


SCALES = (Scale(9, 5, 5), Scale(8, 4), Scale(7, 4), Scale(6, 4), Scale(5, 4, 3))
"""The scales from the largest to the smallest. The height of each may be reduced."""
MIN_CARD_HEIGHT_LINES = 2
"""The smallest height of a card on a screen. If the table is still too high then, it is scrolled."""
PLAIN_SCALE = Scale(5, 1, 3)
"""The scale for plain text: one line for a card."""


@dataclass(frozen=True)
class CardRun:
    """Cards of a pile that are drawn as one: a single face-up card, or `count` face-down cards together.

    `index` is the position of the uppermost of them in the pile, counted from the bottom.
    """

    face: str
    count: int
    index: int


@dataclass(frozen=True)
class Item:
    """Something to draw: a pile, or one card of a pile whose cards have places of their own.

    `x` and `y` are in card widths and heights, as in the server's layout. `turned` says that the cards lie sideways.
    `runs` are from the bottom, and empty for an empty pile. `size` counts the cards of the whole pile.
    """

    place: PilePlace
    x: float
    y: float
    turned: bool
    spread: str
    runs: tuple[CardRun, ...]
    size: int

    def card_box(self, scale: Scale) -> tuple[int, int, int, int]:
        """Return the first card's left and top edge relative to the item's position, its width and its height."""
        if not self.turned:
            return 0, 0, scale.card_width, scale.card_height
        width = round(scale.column_width * CARD_ASPECT_RATIO) - 1
        height = max(1, round(scale.card_height / CARD_ASPECT_RATIO))
        return -((width - scale.card_width + 1) // 2), (scale.card_height - height) // 2, width, height

    def extent(self, scale: Scale) -> tuple[int, int, int, int]:
        """Return how far the item extends from its position: to the left, upwards, to the right and downwards."""
        left, top, width, height = self.card_box(scale)
        covered = max(0, len(self.runs) - 1)
        spread = covered * (scale.fan_step if self.spread in ("left", "right") else 1)
        to_left, up, to_right, down = -left, -top, left + width, top + height
        match self.spread:
            case "left":
                to_left += spread
            case "right":
                to_right += spread
            case "up":
                up += spread
            case "down":
                down += spread
        return to_left, up, to_right, down

    def span(self, axis: str) -> tuple[float, float]:
        """Return where the first card begins and ends along an axis (`x` or `y`), in the units of the layout."""
        start = self.x if axis == "x" else self.y
        size = 1.0 if not self.turned else CARD_ASPECT_RATIO if axis == "x" else 1 / CARD_ASPECT_RATIO
        return start + (1 - size) / 2, start + (1 + size) / 2


@dataclass(frozen=True)
class TextLayout:
    """The position of every item as column and line, and the size of the whole in characters."""

    scale: Scale
    items: list[tuple[Item, int, int]]
    width: int
    height: int


def lay_out(places: Sequence[PilePlace], piles: Mapping[str, Faces], scale: Scale) -> TextLayout:
    """Lay out the piles of a game at one scale.

    `places` are the piles of the server's layout, `piles` the cards of each pile from the bottom.
    """
    return _Position(places, piles).lay_out(scale)


def lay_out_to_fit(
    places: Sequence[PilePlace], piles: Mapping[str, Faces], width: int, height: int, largest: Scale = SCALES[0]
) -> TextLayout:
    """Lay out the piles of a game as large as they fit into `width` columns and `height` lines.

    No card becomes larger than at the scale `largest`. If the piles fit at no scale, the layout is larger than asked.
    """
    position = _Position(places, piles)
    for scale in (scale for scale in SCALES if scale.column_width <= largest.column_width):
        layout = position.lay_out(replace(scale, card_height=min(scale.card_height, largest.card_height)))
        if layout.width <= width:
            break
    while layout.height > height and layout.scale.card_height > MIN_CARD_HEIGHT_LINES:
        layout = position.lay_out(replace(layout.scale, card_height=layout.scale.card_height - 1))
    return layout


def choose_places(rules: RulesPage, piles: Mapping[str, Faces], width: int, height: int) -> Sequence[PilePlace]:
    """Choose the layout of a game that suits `width` columns and `height` lines: it fits, with the largest cards.

    The standard layout is chosen unless another fits better.
    """

    def suits(layout: Layout) -> tuple[bool, bool, int, int]:
        drawn = lay_out_to_fit(layout.piles, piles, width, height)
        return drawn.width <= width, drawn.height <= height, drawn.scale.column_width, drawn.scale.card_height

    layouts = [rules.layout]
    if rules.layouts is not None:
        layouts += [rules.layouts.tall, rules.layouts.wide]
    return max(layouts, key=suits).piles


def _items(place: PilePlace, pile: Faces) -> Iterator[Item]:
    if place.only_filled and not pile:
        return
    if not place.cards or not pile:
        runs = tuple(_runs(pile)) if place.spread != "none" else tuple(_runs(pile))[-1:]
        yield Item(place, place.x, place.y, bool(place.turn % 180), place.spread, runs, len(pile))
        return
    for number, (x, y, turn) in enumerate(place.cards[: len(pile)]):
        index = len(pile) - 1 if number == len(place.cards) - 1 else number
        yield Item(place, x, y, bool(turn % 180), "none", (CardRun(pile[index], 1, index),), len(pile))


def _runs(pile: Faces) -> Iterator[CardRun]:
    count = 0
    for index, face in enumerate(pile):
        if face == DOWN:
            count += 1
            if index + 1 == len(pile) or pile[index + 1] != DOWN:
                yield CardRun(DOWN, count, index)
                count = 0
        else:
            yield CardRun(face, 1, index)


class _Position:
    """The items of a position, and which of them are neighbours along each axis, whatever the scale."""

    def __init__(self, places: Sequence[PilePlace], piles: Mapping[str, Faces]) -> None:
        self._items = [item for place in places for item in _items(place, piles.get(place.name, ()))]
        self._columns = _Axis([item.x for item in self._items], [item.span("y") for item in self._items])
        self._lines = _Axis([item.y for item in self._items], [item.span("x") for item in self._items])

    def lay_out(self, scale: Scale) -> TextLayout:
        extents = [item.extent(scale) for item in self._items]
        columns = self._columns.coordinates(
            scale.column_width, scale.fan_step, 1, [(left, right) for left, _, right, _ in extents]
        )
        lines = self._lines.coordinates(scale.card_height, 1, 0, [(up, down) for _, up, _, down in extents])
        return TextLayout(
            scale,
            list(zip(self._items, columns, lines, strict=True)),
            max((column + extent[2] for column, extent in zip(columns, extents, strict=True)), default=0),
            max((line + extent[3] for line, extent in zip(lines, extents, strict=True)), default=0),
        )


class _Axis:
    """Where items begin along one axis, and for each item those before it that overlap it along the other axis."""

    def __init__(self, starts: list[float], spans: list[tuple[float, float]]) -> None:
        self._starts = [round(start, 2) for start in starts]
        order = sorted(range(len(starts)), key=lambda number: self._starts[number])
        self._before: dict[int, list[int]] = {number: [] for number in order}
        for position, number in enumerate(order):
            low, high = spans[number]
            for earlier in order[:position]:
                earlier_low, earlier_high = spans[earlier]
                overlap = min(high, earlier_high) - max(low, earlier_low)
                if overlap > 0.05 and self._starts[earlier] < self._starts[number]:
                    self._before[number].append(earlier)

    def coordinates(self, card_size: int, min_step: int, gap: int, extents: list[tuple[int, int]]) -> list[int]:
        """Return the column or line of each item, in characters.

        `card_size` is the size of a card along the axis. An item that overlaps an earlier one lies at least `min_step`
        after it, one beside an earlier one at least `gap` after its end. `extents` say how far each item extends
        backwards and forwards from its position.
        """
        found: dict[float, float] = {}
        last = 0.0
        for number in self._before:
            start = self._starts[number]
            if start not in found:
                found[start] = found[last] + _distance(start - last, card_size) if found else 0.0
                last = start
            position = max(found[start], extents[number][0])
            for earlier in self._before[number]:
                needed = min_step
                if start - self._starts[earlier] > 0.9:
                    needed = extents[earlier][1] + gap + extents[number][0]
                position = max(position, found[self._starts[earlier]] + needed)
            found[start] = position
        return [int(found[start] + 0.5) for start in self._starts]


def _distance(cards: float, card_size: int) -> float:
    """Return a distance in characters. From card to card it is a whole number, so that even rows stay even."""
    return float(round(cards * card_size)) if cards > 0.9 else cards * card_size
