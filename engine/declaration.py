"""What a game file declares: groups of piles, counters, routes, special moves, actions, and when the game is won.

A game is one `Declaration`, which can be read beside its page of rules. It is data wherever possible. The rest is small
functions in the same file: functions that offer moves (`Special.offer`), and steps that change a
`cadogan.engine.table.Table`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from cadogan.engine.arrangement import Picture
from cadogan.engine.layout import SQUARED, Placing, Spread
from cadogan.engine.relations import Relation
from cadogan.engine.state import Pile, Position
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import TranslatableText, as_translatable, translatable

Step = Callable[[Table], None]
"""Carries out a part of the deal, an automatic effect, or an action."""
Offer = Callable[[Position], Iterable[tuple[int, ...]]]
"""Returns the legal special moves of one verb, each as the indices of its piles."""

BOOK = "book"
WELL_KNOWN = "well_known"
"""The shelves: the games of Lady Cadogan's book with both Mazes and Quatorze, and those that nearly everybody knows."""

PACK = -1
"""The pile index of the pack in hand. It exists only during the deal."""


@dataclass(frozen=True)
class Guard:
    """A condition on a position, and the message for the player if it does not hold (`otherwise`)."""

    test: Callable[[Position], bool]
    otherwise: str | TranslatableText

    def __call__(self, position: Position) -> bool:
        return self.test(position)

    def __and__(self, other: "Guard") -> "Guard":
        return Guard(
            lambda position: self.test(position) and other.test(position),
            translatable(
                "{why}, or {why2}", why=as_translatable(self.otherwise), why2=as_translatable(other.otherwise)
            ),
        )


@dataclass(frozen=True)
class Group:
    """Piles that follow the same rules; iterating gives their pile indices.

    `count` is the number of piles. `role` is one of stock, waste, foundation, tableau, reserve and discard. `place`
    says where the piles lie (`cadogan.engine.layout`). `spread` is the spread of every pile, or ``spread(n)`` is that
    of pile n. `face_down` says whether the cards of these piles lie face down; a stock always has it. `start` is the
    index of the first pile, which `lay_out` sets.
    """

    name: str
    count: int
    role: str
    place: Placing
    spread: Spread | Callable[[int], Spread] = SQUARED
    face_down: bool = False
    start: int = 0

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.start, self.start + self.count))

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, numbers: int | slice) -> tuple[int, ...]:
        """The index of one pile, or the indices of a slice of piles, by their numbers in the group."""
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
        placed.append(replace(group, start=start, face_down=group.face_down or group.role == "stock"))
        start += group.count
    return tuple(placed)


@dataclass(frozen=True)
class Counter:
    """A named number that is part of the position; its initial value is `start`."""

    name: str
    start: int
    index: int

    def of(self, position: Position) -> int:
        """The value in this position."""
        return position.counters[self.index]

    def put(self, table: Table, value: int) -> None:
        """Set a new value."""
        table.set_counter(self.index, value)

    def add(self, table: Table, change: int) -> None:
        """Add `change`, which may be negative, to the value."""
        table.set_counter(self.index, table.counters[self.index] + change)


def counters(**starts: int) -> tuple[Counter, ...]:
    """Declare counters by name, with their initial values."""
    return tuple(Counter(name, start, index) for index, (name, start) in enumerate(starts.items()))


Piles = Iterable["Group | int"]
"""Groups, or parts of groups such as ``foundation[0:4]``, as a route names them."""


@dataclass(frozen=True)
class Route:
    """Cards that may go from some piles to others.

    What a target takes:

    - `onto`: on its top card, what this relation allows;
    - `empty`: when it is empty, this set of cards, or ``empty(n)`` for pile n of its group;
    - `takes`: in place of both, the set of cards ``takes(position, index)``;
    - `room`: the maximum number of cards in the target.

    Further conditions:

    - `when`: the phase of the game in which the route is open;
    - `free`: ``free(position, index)`` is whether the top card of this source is available;
    - `between`: ``between(m, n)`` is whether cards go from pile m of the source's group to pile n of the target's;
    - `keep`: how many cards must stay in the source.

    `cards` is how many cards move together: one, or ``cards(pile)``; the lowest of them must fit the target. With
    `up_to` in its place, any number from one to ``up_to(pile)`` may move together, but not more than ``most(position,
    target)``, if that is given; such a route has none of `takes`, `room` and `between`. While a `forced` route offers a
    move, only forced moves are legal. `play` replaces the standard execution of the move: ``play(table, source,
    target)``.
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
    up_to: Callable[[Pile], int] | None = None
    most: Callable[[Position, int], int] | None = None
    forced: bool = False
    play: Callable[[Table, int, int], None] | None = None


@dataclass(frozen=True)
class Special:
    """Moves that no route describes.

    `verb` is their notation: ``+`` (``a.1+a.4``), ``~`` (``a.1~a.4``), or a word (``play/navy.3``). `offer` returns the
    piles of each legal move, and ``play(table, piles)`` executes a move. While a `forced` special offers a move, only
    forced moves are legal.
    """

    verb: str
    offer: Offer
    play: Callable[[Table, tuple[int, ...]], None]
    forced: bool = False


@dataclass(frozen=True)
class Action:
    """A move that names no pile, such as ``deal`` or ``redeal``; it is legal while `when` holds."""

    verb: str
    when: Guard
    play: Step


@dataclass(frozen=True)
class Interchangeable:
    """Piles whose order makes no difference, so that the solver searches only one order.

    While `when` holds (without it: always), permuting the contents of these piles gives an equivalent position: the
    same positions can be reached up to this order, by the same moves with renamed piles, and with the same score.
    """

    piles: Group
    when: Guard | None = None


@dataclass(frozen=True)
class SafeHome:
    """Declares that moving a card home costs the player nothing but a place to lay other cards on.

    While `when` holds (without it: always), and until the game ends:

    - the game is won when every card is home, and no card leaves its foundation;
    - cards move one by one from the top of a pile to the top of another or to an empty one, wherever they fit, and only
      `Route.keep` asks for other cards; all foundations follow the same routes;
    - besides that, a card of the stock may be dealt to the waste, and nothing is shuffled, filled or turned up.

    The solver then plays such moves at once (`cadogan.engine.solver.safe_moves` has the further condition, and the
    proof).
    """

    when: Guard | None = None


@dataclass(frozen=True)
class Forgotten:
    """Piles that no card leaves: positions that differ only in their cards are the same to the solver.

    Moves, score and end depend on these cards only by the number ``but(position)``; without it: not at all.
    """

    piles: Group
    but: Callable[[Position], int] | None = None


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """One game, as its page of rules describes it.

    - `name`, `summary`, `also_known_as`: what players read in the list of games; `shelf`: in which list it stands.
    - `groups`: the piles, numbered by `lay_out`; `counters`: numbers that belong to the position.
    - `pack`: every card of the game, before the shuffle; `deal`: the steps that lay out the pack in hand.
    - `numbered`: makes the step that takes the place of the first one, the shuffle, in the deal with a number, if the
      game has numbered deals.
    - `routes`, `specials`, `actions`: the moves.
    - `automatic`: what happens after each move, in this order.
    - `score`: grows with progress up to `maximum`; `home`: what others see of an unfinished game, by default the
      number of cards on foundations.
    - `won`: whether the game is won, which needs the score `maximum`; `lost`: whether it is lost although a move is
      legal.
    - `tall`, `wide`: how groups lie on a tall table and on a short wide one, if the rule of
      `cadogan.engine.arrangement` is not good enough (`cadogan.engine.arrangement.Picture`).
    - `in_brief`: what a newcomer must know about a group of piles, by its name, or about the whole table (""), if
      `cadogan.engine.brief` cannot derive it from the other fields.
    - `interchangeable`: the piles whose order makes no difference; `safe_home`: declares that moving cards home costs
      nothing else.
    - `covering`: lines of piles of which each covers those before it in its line: while it holds cards, none of theirs
      can go home.
    - `forgotten`: the piles whose cards make no difference any more; `hopeless`: whether a position cannot be won, of
      which the function has the proof: the solver goes no further from there, from version `hopeless_since` on. A
      change of these needs a new version of the solver.
    - `rules_version`: increase it with every change of legal moves or their effects.
    """

    name: str
    summary: str
    groups: tuple[Group, ...]
    pack: tuple[int, ...]
    deal: tuple[Step, ...]
    score: Callable[[Position], int]
    maximum: int
    won: Callable[[Position], bool]
    numbered: Callable[[int], Step] | None = None
    counters: tuple[Counter, ...] = ()
    routes: tuple[Route, ...] = ()
    specials: tuple[Special, ...] = ()
    actions: tuple[Action, ...] = ()
    automatic: tuple[Step, ...] = ()
    lost: Callable[[Position], bool] | None = None
    home: Callable[[Position], int] | None = None
    interchangeable: tuple[Interchangeable, ...] = ()
    safe_home: SafeHome | None = None
    covering: tuple[tuple[int, ...], ...] = ()
    forgotten: tuple[Forgotten, ...] = ()
    hopeless: Callable[[Position], bool] | None = None
    hopeless_since: int = 8
    rules_version: int = 1
    shelf: str = BOOK
    also_known_as: tuple[str, ...] = ()
    in_brief: Mapping[str, tuple[TranslatableText, ...]] = field(default_factory=dict)
    tall: Picture = field(default_factory=dict)
    wide: Picture = field(default_factory=dict)
