"""How the piles of a game lie on a table of another shape: a tall one, or a short wide one.

A game declares one layout, as in the book. The layouts for a phone follow from it by a rule:

- A group that lies in rows or columns is a block that may have any number of rows.
- The stock, the waste and single discard piles are one block.
- Groups that lie around one another are a picture: one block that keeps its shape.
- The blocks lie in shelves, from the upper left to the lower right. In a shelf they lie side by side.

Of all ways to cut the blocks into shelves, the one with the largest cards is taken. A game whose picture would be too
small, or that must look different, declares this (`Picture`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, cos, radians, sin

from cadogan.engine.layout import PileLayout, Placing, Spread, layout_as_dict

RATIO = 1.4
"""A card's height in card widths."""
GAP = 0.08
"""Between two piles, in card widths or heights."""
SHELF_GAP = 0.14
"""Between two shelves, in card heights, and between two blocks in a shelf, in card widths."""
MIN_COLUMNS = 5
"""Minimum number of piles in each part when a row of piles that spread downwards is split."""
DOWN_ROOM, FAN_ROOM = 1.75, 1.1
"""The maximum room of a pile in a row: downwards in card heights, sideways in card widths."""
LONE_FAN_ROOM = 6.5
"""The room in card widths of a single pile that spreads to a side."""
PICTURE_FAN_ROOM = 2
"""The room in card widths of a pile that spreads to the right at the edge of a picture, unless others spread left."""
PICTURE_DOWN_ROOM = 0.45
"""The room in card heights of piles that spread downwards at the lower edge of a picture."""
FLOWING = "flowing"
"""In a `Picture`: a group that lies in rows, although the book shows it as a part of the picture."""

Drawn = Placing | tuple[Placing, Spread | Callable[[int], Spread]] | str
Picture = Mapping[str, Drawn]
"""The groups of a picture by name: where their piles lie, and how they spread if not as in the book; or `FLOWING`."""


@dataclass(frozen=True)
class Shape:
    """The size of the screen area for the cards, in CSS pixels."""

    name: str
    width: int
    height: int
    most_columns: int
    """Maximum number of piles in a row of piles that spread downwards; a longer row is split."""


SHAPES = (Shape("tall", 378, 600, 9), Shape("wide", 700, 300, 24))
"""A phone held upright, and a phone on its side."""


@dataclass(frozen=True)
class Form:
    """One way to lay a block: its size in card widths and heights, with room for spreads, and its piles from (0, 0)."""

    width: float
    height: float
    piles: tuple[PileLayout, ...]


@dataclass(frozen=True)
class Block:
    """Piles that lie together, and their possible forms; `order` is the position among the blocks."""

    order: tuple[bool, float, float]
    forms: tuple[Form, ...]

    def narrowest(self, height: float) -> Form | None:
        """Return the narrowest form that is no higher than this; of equal ones the lowest."""
        fitting = [form for form in self.forms if form.height <= height + 1e-6]
        return min(fitting, key=lambda form: (form.width, form.height), default=None)


@dataclass(frozen=True)
class _Box:
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: "_Box") -> bool:
        return (
            min(self.right, other.right) - max(self.left, other.left) > 1e-6
            and min(self.bottom, other.bottom) - max(self.top, other.top) > 1e-6
        )


@dataclass(frozen=True)
class Arrangement:
    """A layout for a shape: its piles, and the size of the table with the room for their spreads."""

    piles: tuple[PileLayout, ...]
    width: float
    height: float

    def as_dict(self) -> dict[str, object]:
        """Return it as plain data (`cadogan.engine.layout.layout_as_dict`)."""
        return layout_as_dict(self.piles, (self.width, self.height))


def arrange(piles: Sequence[PileLayout], shape: Shape, picture: Picture) -> Arrangement:
    """Lay out the piles of a game for a shape.

    `piles` is the layout of the book. `picture` is the game's declaration for this shape; the rule decides the rest.
    """
    blocks = sorted(_blocks(piles, shape, picture), key=lambda block: block.order)
    largest, best = 0.0, Arrangement((), 0, 0)
    for width in _widths(blocks):
        shelves = _cut(blocks, width)
        if shelves is None:
            continue
        height = sum(max(form.height for form in shelf) for shelf in shelves) + SHELF_GAP * (len(shelves) - 1)
        widest = max(_shelf_width(shelf) for shelf in shelves)
        card = min(shape.width / widest, shape.height / height / RATIO)
        if card > largest + 1e-6:
            largest, best = card, Arrangement(_lay(shelves, widest), widest, height)
    placed = {pile.name: pile for pile in best.piles}
    return replace(best, piles=tuple(placed[pile.name] for pile in piles))


def _widths(blocks: Sequence[Block]) -> list[float]:
    """Every width that a shelf can have, in steps of about half a card, up to that of all blocks side by side."""
    widest = sum(max(form.width for form in block.forms) + SHELF_GAP for block in blocks)
    least = max(min(form.width for form in block.forms) for block in blocks)
    steps = ceil((widest - least) / 0.27) + 1
    return [least + 0.27 * step for step in range(min(steps, 80))]


def _cut(blocks: Sequence[Block], width: float) -> list[list[Form]] | None:
    """Cut the blocks into shelves of at most this width, so that all are as low as possible together."""
    best: list[tuple[float, list[list[Form]]] | None] = [(0, [])]
    for end in range(1, len(blocks) + 1):
        found: tuple[float, list[list[Form]]] | None = None
        for start in range(end):
            before = best[start]
            shelf = _lowest_shelf(blocks[start:end], width)
            if before is None or shelf is None:
                continue
            height = before[0] + max(form.height for form in shelf) + SHELF_GAP
            if found is None or height < found[0] - 1e-6:
                found = height, [*before[1], shelf]
        best.append(found)
    whole = best[-1]
    return whole and whole[1]


def _lowest_shelf(blocks: Sequence[Block], width: float) -> list[Form] | None:
    """Lay blocks side by side, as low as this width allows; None if it allows none."""
    for height in sorted({form.height for block in blocks for form in block.forms}):
        shelf = [block.narrowest(height) for block in blocks]
        forms = [form for form in shelf if form is not None]
        if len(forms) == len(shelf) and _shelf_width(forms) <= width + 1e-6:
            return forms
    return None


def _shelf_width(shelf: Sequence[Form]) -> float:
    return sum(form.width for form in shelf) + SHELF_GAP * (len(shelf) - 1)


def _lay(shelves: Sequence[Sequence[Form]], width: float) -> tuple[PileLayout, ...]:
    """Put the shelves below one another. Spare room lies between the blocks of a shelf, or around a single one."""
    placed: list[PileLayout] = []
    top = 0.0
    for shelf in shelves:
        free = width - _shelf_width(shelf)
        left, gap = (0.0, SHELF_GAP + free / (len(shelf) - 1)) if len(shelf) > 1 else (free / 2, 0.0)
        for form in shelf:
            placed.extend(_move(pile, left, top) for pile in form.piles)
            left += form.width + gap
        top += max(form.height for form in shelf) + SHELF_GAP
    return tuple(placed)


def _move(pile: PileLayout, across: float, down: float) -> PileLayout:
    """Move a pile, and the places of its cards if they have their own."""
    cards = tuple((x + across, y + down, turn) for x, y, turn in pile.spread.cards)
    return replace(pile, x=pile.x + across, y=pile.y + down, spread=replace(pile.spread, cards=cards))


def _blocks(piles: Sequence[PileLayout], shape: Shape, picture: Picture) -> Iterable[Block]:
    """Yield the blocks of a game."""
    groups: dict[str, list[PileLayout]] = {}
    for pile in piles:
        groups.setdefault(pile.group, []).append(pile)
    drawn = {name: _draw(groups[name], how) for name, how in picture.items() if how != FLOWING}
    if drawn:
        yield _picture(
            [pile for name in drawn for pile in groups[name]], [pile for group in drawn.values() for pile in group]
        )
    left = {name: group for name, group in groups.items() if name not in drawn}
    pictures = _pictures(left, [name for name, how in picture.items() if how == FLOWING])
    for names in pictures:
        yield _picture([pile for name in names for pile in left[name]])
    in_pictures = {name for names in pictures for name in names}
    rows = {name: group for name, group in left.items() if name not in in_pictures}
    talon = [
        pile for group in rows.values() for pile in group if len(group) < 3 and pile.role in _TALON and _lies(pile)
    ]
    if talon:
        yield _rows(sorted(talon, key=lambda pile: (pile.y, pile.x)), shape)
    aside = {pile.name for pile in talon}
    yield from (_rows(group, shape) for group in rows.values() if group[0].name not in aside)


_TALON = ("stock", "waste", "discard")


def _lies(pile: PileLayout) -> bool:
    return pile.spread.direction == "none" and not pile.spread.only_filled


def _draw(group: Sequence[PileLayout], how: Drawn) -> list[PileLayout]:
    assert not isinstance(how, str)
    placing, spread = how if isinstance(how, tuple) else (how, None)
    drawn = []
    for number, pile in enumerate(group):
        x, y, *turn = placing(number)
        wanted = spread(number) if callable(spread) else spread
        drawn.append(replace(pile, x=x, y=y, turn=turn[0] if turn else 0, spread=wanted or pile.spread))
    return drawn


def _pictures(groups: Mapping[str, Sequence[PileLayout]], flowing: Sequence[str]) -> list[list[str]]:
    """Return the groups that keep their shape. Groups around each other form one; groups without rows are single."""
    clusters: list[list[str]] = []
    for name, group in groups.items():
        if name in flowing:
            continue
        box = _box(group)
        met = [
            cluster
            for cluster in clusters
            if box.overlaps(_box([pile for member in cluster for pile in groups[member]]))
        ]
        clusters = [cluster for cluster in clusters if cluster not in met]
        clusters.append([*(member for cluster in met for member in cluster), name])
    return [cluster for cluster in clusters if len(cluster) > 1 or not _lies_in_rows(groups[cluster[0]])]


def _lies_in_rows(group: Sequence[PileLayout]) -> bool:
    """Whether the piles lie in even rows in reading order, or in even columns, upright, none over another."""
    if any(pile.turn or pile.spread.cards for pile in group):
        return False
    places = [(round(pile.x, 3), round(pile.y, 3)) for pile in group]
    lines = [sorted({place[axis] for place in places}) for axis in (0, 1)]
    if any(later - earlier < 1 for line in lines for earlier, later in pairwise(line)):
        return False
    across, down = (len(line) for line in lines)
    whole = across * down
    return whole - max(across, down) < len(group) <= whole and (
        places in (sorted(places), sorted(places, key=lambda place: place[::-1]))
    )


def _box(piles: Iterable[PileLayout]) -> _Box:
    """Return the rectangle around the cards of these piles, without their spreads."""
    boxes = [_card_box(pile.x, pile.y, pile.turn) for pile in piles]
    return _Box(
        min(box.left for box in boxes),
        min(box.top for box in boxes),
        max(box.right for box in boxes),
        max(box.bottom for box in boxes),
    )


def _card_box(x: float, y: float, turn: float) -> _Box:
    """Return the rectangle around a card that is turned about its centre, in card widths and heights."""
    across, along = abs(cos(radians(turn))), abs(sin(radians(turn)))
    width, height = across + RATIO * along, across + along / RATIO
    left, top = x + (1 - width) / 2, y + (1 - height) / 2
    return _Box(left, top, left + width, top + height)


def _picture(piles: Sequence[PileLayout], drawn: Sequence[PileLayout] | None = None) -> Block:
    """Return the block of piles that keep their places, in the book or, where given, as they are `drawn`."""
    book, drawn = _box(piles), drawn or piles
    boxes = [_card_box(pile.x, pile.y, pile.turn) for pile in drawn]
    boxes += [_card_box(*place) for pile in drawn for place in pile.spread.cards]
    left, top = min(box.left for box in boxes), min(box.top for box in boxes)
    upwards = any(pile.spread.direction == "up" for pile in drawn)
    top = min(top, 0) if upwards else top
    leftwards = [pile.x for pile in drawn if pile.spread.direction == "left"]
    left, room = (min(left, 0), min(leftwards)) if leftwards else (left, PICTURE_FAN_ROOM)
    right = max(pile.x + 1 + (room if pile.spread.direction == "right" else 0) for pile in drawn)
    right = max(right, *(box.right for box in boxes))
    opened = [
        pile.y + 1 + PICTURE_DOWN_ROOM for pile in drawn if pile.spread.direction == "down" and not pile.spread.cards
    ]
    bottom = max([*(box.bottom for box in boxes), *opened])
    moved = tuple(_move(pile, -left, -top) for pile in drawn)
    return Block((bool(opened), book.top, book.left), (Form(right - left, bottom - top, moved),))


def _room(starts: Sequence[float], most: float) -> float:
    """Return the room between piles in the book, from where they start along the way they spread."""
    lines = sorted(set(starts))
    return min([most, *(later - earlier - 1 for earlier, later in pairwise(lines))])


def _rows(piles: Sequence[PileLayout], shape: Shape) -> Block:
    """Return the block of piles that may lie in any number of rows."""
    direction = piles[0].spread.direction
    width, height, across = 1.0, 1.0, 0.0
    fewest, most = 1, len(piles)
    if direction == "down":
        height += _room([pile.y for pile in piles], DOWN_ROOM)
        most = min(most, shape.most_columns)
        fewest = min(MIN_COLUMNS if len(piles) > most else most, len({pile.x for pile in piles}))
    elif direction in ("left", "right"):
        room = _room([pile.x for pile in piles], FAN_ROOM if len(piles) > 1 else LONE_FAN_ROOM)
        width += room
        across = room if direction == "left" else 0.0
    forms = []
    for rows in range(1, len(piles) + 1):
        columns = ceil(len(piles) / rows)
        uneven = ceil(len(piles) / columns) != rows or (piles[0].role == "foundation" and len(piles) % columns)
        if uneven or not fewest <= columns <= most:
            continue
        forms.append(
            Form(
                columns * (width + GAP) - GAP,
                rows * (height + GAP) - GAP,
                tuple(
                    replace(
                        pile,
                        x=across + number % columns * (width + GAP),
                        y=number // columns * (height + GAP),
                        turn=0,
                    )
                    for number, pile in enumerate(piles)
                ),
            )
        )
    box = _box(piles)
    return Block((direction == "down", box.top, box.left), tuple(forms))
