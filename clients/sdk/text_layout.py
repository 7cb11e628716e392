"""Where the cards of a layout lie on a screen of characters: rows and columns give way to what is spread.

A layout is in card widths and heights; here every pile keeps its row and its column, and each row and column is as far
from the one before as the scale says, or as far as the spreads between them need.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from clients.sdk.session import DOWN, Faces
from clients.wire.bodies import PilePlace

RATIO = 1.4
"""A card's height in card widths."""


@dataclass(frozen=True)
class Scale:
    """How large things are, in characters: a card with its gap, its height, and what shows of one in a fan."""

    across: int
    high: int
    fan: int = 4

    @property
    def wide(self) -> int:
        """A card without its gap."""
        return self.across - 1


SCALES = (Scale(9, 5, 5), Scale(8, 4), Scale(7, 4), Scale(6, 4), Scale(5, 4, 3))
"""From the broadest to the narrowest in which cards can be told apart; each may be lower."""
LOWEST = 2
"""Lines of a card on a screen, at least; a table that is higher yet is scrolled."""
PLAIN = Scale(5, 1, 3)
"""The smallest: one line for a card, as plain text has it."""


@dataclass(frozen=True)
class Run:
    """Cards of a pile drawn as one: a face-up card alone, or so many face-down ones together.

    `index` is the place in the pile of the uppermost of them, from the bottom.
    """

    face: str
    count: int
    index: int


@dataclass(frozen=True)
class Item:
    """A pile, or one card of a pile whose cards have places of their own; `runs` from the bottom, none where empty."""

    place: PilePlace
    x: float
    y: float
    turned: bool
    spread: str
    runs: tuple[Run, ...]
    size: int
    """Cards in the whole pile."""

    def box(self, scale: Scale) -> tuple[int, int, int, int]:
        """The first card's left and upper edge beside its place, its width and its height."""
        if not self.turned:
            return 0, 0, scale.wide, scale.high
        wide, high = round(scale.across * RATIO) - 1, max(1, round(scale.high / RATIO))
        return -((wide - scale.wide + 1) // 2), (scale.high - high) // 2, wide, high

    def reach(self, scale: Scale) -> tuple[int, int, int, int]:
        """How far it reaches to the left of its place and above it, and right and down from it."""
        left, top, wide, high = self.box(scale)
        covered = max(0, len(self.runs) - 1)
        along = covered * (scale.fan if self.spread in ("left", "right") else 1)
        before_x, before_y, after_x, after_y = -left, -top, left + wide, top + high
        match self.spread:
            case "left":
                before_x += along
            case "right":
                after_x += along
            case "up":
                before_y += along
            case "down":
                after_y += along
        return before_x, before_y, after_x, after_y

    def span(self, axis: str) -> tuple[float, float]:
        """From where to where its first card lies along an axis, in the layout."""
        start = self.x if axis == "x" else self.y
        extent = 1.0 if not self.turned else RATIO if axis == "x" else 1 / RATIO
        return start + (1 - extent) / 2, start + (1 + extent) / 2


@dataclass(frozen=True)
class Arranged:
    """Where each item's place is, as column and line, and how large the whole is."""

    scale: Scale
    items: list[tuple[Item, int, int]]
    width: int
    height: int


def arrange(places: Sequence[PilePlace], piles: Mapping[str, Faces], scale: Scale) -> Arranged:
    """Lay out a position at one scale."""
    return _Table(places, piles).arrange(scale)


def fit(
    places: Sequence[PilePlace], piles: Mapping[str, Faces], width: int, height: int, largest: Scale = SCALES[0]
) -> Arranged:
    """Lay out a position as broad, and then as high, as it fits; what fits at no scale reaches beyond the edges.

    No card is larger than at the `largest` scale.
    """
    table = _Table(places, piles)
    for scale in (scale for scale in SCALES if scale.across <= largest.across):
        arranged = table.arrange(replace(scale, high=min(scale.high, largest.high)))
        if arranged.width <= width:
            break
    while arranged.height > height and arranged.scale.high > LOWEST:
        arranged = table.arrange(replace(arranged.scale, high=arranged.scale.high - 1))
    return arranged


def _items(place: PilePlace, pile: Faces) -> Iterator[Item]:
    if place.only_filled and not pile:
        return
    if not place.cards or not pile:
        runs = tuple(_runs(pile)) if place.spread != "none" else tuple(_runs(pile))[-1:]
        yield Item(place, place.x, place.y, bool(place.turn % 180), place.spread, runs, len(pile))
        return
    for number, (x, y, turn) in enumerate(place.cards[: len(pile)]):
        index = len(pile) - 1 if number == len(place.cards) - 1 else number
        yield Item(place, x, y, bool(turn % 180), "none", (Run(pile[index], 1, index),), len(pile))


def _runs(pile: Faces) -> Iterator[Run]:
    count = 0
    for index, face in enumerate(pile):
        if face == DOWN:
            count += 1
            if index + 1 == len(pile) or pile[index + 1] != DOWN:
                yield Run(DOWN, count, index)
                count = 0
        else:
            yield Run(face, 1, index)


class _Table:
    """The items of a position, and which of them are beside each other along each axis, whatever the scale."""

    def __init__(self, places: Sequence[PilePlace], piles: Mapping[str, Faces]) -> None:
        self._items = [item for place in places for item in _items(place, piles.get(place.name, ()))]
        self._columns = _Axis([item.x for item in self._items], [item.span("y") for item in self._items])
        self._lines = _Axis([item.y for item in self._items], [item.span("x") for item in self._items])

    def arrange(self, scale: Scale) -> Arranged:
        """Lay them out at one scale."""
        reaches = [item.reach(scale) for item in self._items]
        columns = self._columns.positions(scale.across, scale.fan, 1, [(left, right) for left, _, right, _ in reaches])
        lines = self._lines.positions(scale.high, 1, 0, [(above, below) for _, above, _, below in reaches])
        return Arranged(
            scale,
            list(zip(self._items, columns, lines, strict=True)),
            max((column + reach[2] for column, reach in zip(columns, reaches, strict=True)), default=0),
            max((line + reach[3] for line, reach in zip(lines, reaches, strict=True)), default=0),
        )


class _Axis:
    """Where items begin along an axis, and for each those before it that overlap it along the other axis."""

    def __init__(self, starts: list[float], spans: list[tuple[float, float]]) -> None:
        self._starts = [round(start, 2) for start in starts]
        order = sorted(range(len(starts)), key=lambda number: self._starts[number])
        self._before: dict[int, list[int]] = {number: [] for number in order}
        for place, number in enumerate(order):
            low, high = spans[number]
            for earlier in order[:place]:
                least, most = spans[earlier]
                if min(high, most) - max(low, least) > 0.05 and self._starts[earlier] < self._starts[number]:
                    self._before[number].append(earlier)

    def positions(self, unit: int, least: int, gap: int, reaches: list[tuple[int, int]]) -> list[int]:
        """The column or line of each item, in characters: as far from those before it as both need.

        `unit` is a card, `least` what shows of one that lies half covered, `gap` is left between cards, and `reaches`
        say how far each item reaches back from its place and on from it.
        """
        found: dict[float, float] = {}
        last = 0.0
        for number in self._before:
            start = self._starts[number]
            if start not in found:
                found[start] = found[last] + _step(start - last, unit) if found else 0.0
                last = start
            position = max(found[start], reaches[number][0])
            for earlier in self._before[number]:
                needed = least
                if start - self._starts[earlier] > 0.9:
                    needed = reaches[earlier][1] + gap + reaches[number][0]
                position = max(position, found[self._starts[earlier]] + needed)
            found[start] = position
        return [int(found[start] + 0.5) for start in self._starts]


def _step(distance: float, unit: int) -> float:
    """A distance in characters; from card to card whole ones, so that even rows stay even."""
    return float(round(distance * unit)) if distance > 0.9 else distance * unit
