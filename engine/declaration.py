"""What a game file says: groups of piles, counters, routes, special moves, actions, and when the game is won.

A game is one `Declaration`, to be read beside its rule sheet. Tables say what they can; for the rest stand small
functions in the same file: one that offers moves (`Special.offer`), and steps that carry something out on a
`engine.table.Table`.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from engine.layout import SQUARED, Placing, Spread
from engine.relations import Relation
from engine.state import Pile, Position
from engine.table import Table
from engine.translatable_text import Said, said, say

Step = Callable[[Table], None]
"""Part of a deal, an automatic effect, or what an action does."""
Offer = Callable[[Position], Iterable[tuple[int, ...]]]
"""The special moves of one verb that are legal now, each as the piles it names."""

PACK = -1
"""The pile index of the pack in hand. It exists only during the deal."""


@dataclass(frozen=True)
class Guard:
    """A condition of a position, and what to tell a player when it does not hold."""

    test: Callable[[Position], bool]
    otherwise: str | Said

    def __call__(self, position: Position) -> bool:
        return self.test(position)

    def __and__(self, other: "Guard") -> "Guard":
        return Guard(
            lambda position: self.test(position) and other.test(position),
            say("{why}, or {why2}", why=said(self.otherwise), why2=said(other.otherwise)),
        )


@dataclass(frozen=True)
class Group:
    """Piles that follow the same rules (sheets, part 2); iterating gives their pile indices.

    `role` is one of stock, waste, foundation, tableau, reserve, discard. `spread` is that of every pile, or
    ``spread(n)`` that of pile n. `lies_down` says that cards laid here come to lie face down; by default that is so
    for the stock alone.
    """

    name: str
    count: int
    role: str
    place: Placing
    spread: Spread | Callable[[int], Spread] = SQUARED
    lies_down: bool = False
    start: int = 0

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.start, self.start + self.count))

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, numbers: int | slice) -> tuple[int, ...]:
        """The indices of one pile or a stretch of piles, by their numbers in the group."""
        indices = tuple(self)
        return indices[numbers] if isinstance(numbers, slice) else (indices[numbers],)

    @property
    def stop(self) -> int:
        """One past the index of the last pile."""
        return self.start + self.count

    def of(self, position: Position) -> "tuple[Pile, ...] | list[Pile]":
        """The piles of this group, each a tuple of cards."""
        return position.piles[self.start : self.start + self.count]

    def size(self, position: Position) -> int:
        """How many cards lie in this group."""
        return sum(map(len, self.of(position)))

    def vacancies(self, position: Position) -> list[int]:
        """The indices of the empty piles, lowest first."""
        piles = position.piles
        return [index for index in self if not piles[index]]

    def filled(self, position: Position) -> list[int]:
        """The indices of the piles that hold a card, lowest first."""
        piles = position.piles
        return [index for index in self if piles[index]]


def lay_out(*groups: Group) -> tuple[Group, ...]:
    """Number the piles of these groups, one group after another."""
    placed, start = [], 0
    for group in groups:
        placed.append(replace(group, start=start, lies_down=group.lies_down or group.role == "stock"))
        start += group.count
    return tuple(placed)


@dataclass(frozen=True)
class Counter:
    """State beyond the piles (sheets, part 8): a number with a name."""

    name: str
    start: int
    index: int

    def of(self, position: Position) -> int:
        """The present value."""
        return position.counters[self.index]

    def put(self, table: Table, value: int) -> None:
        """Give it a new value."""
        table.count(self.index, value)

    def add(self, table: Table, change: int) -> None:
        """Raise it, or with a negative change lower it."""
        table.count(self.index, table.counters[self.index] + change)


def counters(**starts: int) -> tuple[Counter, ...]:
    """Counters by name, with their starting values."""
    return tuple(Counter(name, start, index) for index, (name, start) in enumerate(starts.items()))


Piles = Iterable["Group | int"]
"""Groups, or parts of groups (``foundation[0:4]``), as a route names them."""


@dataclass(frozen=True)
class Route:
    """Cards that may go from some piles to others (sheets, part 4).

    What a target takes: on its top card what `onto` allows; when empty the set `empty`, or ``empty(n)`` for pile n of
    its group; or, whatever it holds, the set ``takes(position, index)``. It takes nothing once it holds `room` cards.

    Further conditions: `when` (the phase of the game), `free` (the source pile by its index: is its card available),
    `between` (the numbers of source and target within their groups), `keep` (how many cards must stay behind).
    `cards` says how many go together: one, or as many as ``cards(pile)``; their lowest card must fit.
    While a `forced` route offers a move, only such moves are legal. `play` carries the move out in place of plainly
    moving the cards: ``play(table, source, target)``.
    """

    source: "Group | Piles"
    target: "Group | Piles"
    onto: Relation | None = None
    empty: int | Callable[[int], int] = 0
    takes: Callable[[Position, int], int] | None = None
    room: int | None = None
    when: Guard | None = None
    free: Callable[[Position, int], bool] | None = None
    between: Callable[[int, int], bool] | None = None
    keep: int = 0
    cards: Callable[[Pile], int] | None = None
    forced: bool = False
    play: Callable[[Table, int, int], None] | None = None


@dataclass(frozen=True)
class Special:
    """Moves that are no route (sheets, part 7).

    `verb` says how they are written: ``+`` (``a.1+a.4``), ``~`` (``a.1~a.4``), or a word (``play/navy.3``).
    `offer` gives the piles of each legal one, `play` carries one out: ``play(table, piles)``.
    """

    verb: str
    offer: Offer
    play: Callable[[Table, tuple[int, ...]], None]
    forced: bool = False


@dataclass(frozen=True)
class Action:
    """A move that names no pile, ``deal`` or ``redeal`` (sheets, part 6)."""

    verb: str
    when: Guard
    play: Step


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """One game, as its rule sheet says it.

    `pack` is every card of the game in unshuffled order; `deal` the steps that lay them out from the pack in hand;
    `automatic` what happens after each move, in this order; `score` grows with progress up to `maximum`; `home` (by
    default the cards on foundations) is what others see of an unfinished game. `lost` is only what goes beyond "no
    move is legal". `rules_version` rises with every change of what is legal or what happens.
    """

    name: str
    summary: str
    groups: tuple[Group, ...]
    pack: tuple[int, ...]
    deal: tuple[Step, ...]
    score: Callable[[Position], int]
    maximum: int
    won: Callable[[Position], bool]
    counters: tuple[Counter, ...] = ()
    routes: tuple[Route, ...] = ()
    specials: tuple[Special, ...] = ()
    actions: tuple[Action, ...] = ()
    automatic: tuple[Step, ...] = ()
    lost: Callable[[Position], bool] | None = None
    home: Callable[[Position], int] | None = None
    rules_version: int = 1
    also_known_as: tuple[str, ...] = field(default=())
