"""The deal as data: what its steps do with the pack in hand, for whoever deals a game again without knowing its rules.

A deal is carried out once upon cards whose faces nobody can see. What is written down then is so for every shuffle::

    set foundation.0 AS       the lowest such card in hand goes face up on foundation.0
    shuffled hand deal        the cards in hand are shuffled; the word is the shuffle's label
    moved hand tableau.0 1    and every other effect (`engine.effects`); the pack in hand lies face down

Of a game whose deal turns on the cards it meets, the plan ends where it begins to.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, NoReturn, cast

from engine import effects
from engine.cards import DOWN, FACE, text
from engine.declaration import PACK, Step
from engine.game import Game
from engine.state import Pile, State
from engine.table import Table

HAND = "hand"


class Plan(NamedTuple):
    """The pack before anything is done, bottom first, the counters then, the deal's steps, and if they are all of them.

    `down` names the piles on which cards come to lie face down.
    """

    pack: tuple[str, ...]
    counters: dict[str, int]
    steps: tuple[str, ...]
    whole: bool
    down: tuple[str, ...]


class _Seen(Exception):
    """The deal turns on a card's face."""


class _Unseen:
    """A card that may lie either way up and that nobody can tell from another."""

    def __init__(self, down: int) -> None:
        self._down = down

    def __and__(self, bits: int) -> "int | _Unseen":
        if bits == DOWN:
            return self._down
        return _Unseen(0) if bits == FACE else self._look()

    def __or__(self, bits: int) -> "_Unseen":
        return _Unseen(DOWN) if bits == DOWN else self._look()

    def __xor__(self, bits: int) -> "_Unseen":
        return _Unseen(self._down ^ DOWN) if bits == DOWN else self._look()

    def _look(self, *_: object) -> NoReturn:
        raise _Seen

    __eq__ = __ne__ = __lt__ = __gt__ = __hash__ = __index__ = __int__ = __rshift__ = __rand__ = _look


class _Hand(Table):
    """A table that writes down each step of a deal upon it."""

    def __init__(self, game: Game) -> None:
        declaration = game.declaration
        pack = tuple(number | DOWN for number in declaration.pack)
        start = State(((),) * len(game.piles) + (pack,), tuple(one.start for one in declaration.counters))
        super().__init__(start, (*(group.lies_down for group in declaration.groups for _ in group), True))
        self.names = (*game.piles, HAND)
        self.counter_names = game.counters
        self.steps: list[str] = []

    def shuffle(self, piles: Sequence[int], sizes: Sequence[int], label: str) -> None:
        if tuple(piles) != (PACK,):
            raise _Seen
        self.write_down()
        self.piles[PACK] = cast("Pile", tuple(_Unseen(DOWN) for _ in self.piles[PACK]))
        self.steps.append(f"shuffled {HAND} {label}")

    def carry_out(self, step: Step) -> None:
        """One step of the deal. Cards set out from the pack are no effect: they are seen to lie there."""
        before, written = list(self.piles), len(self.steps)
        step(self)
        self.write_down()
        if len(self.steps) == written:
            for name, old, new in zip(self.names[:PACK], before[:PACK], self.piles[:PACK], strict=True):
                self.steps += [f"set {name} {text(card)}" for card in new[len(old) :]]

    def write_down(self) -> None:
        """The effects since the last time, as steps."""
        self.steps += [effects.write(effect, self.names, self.counter_names) for effect in self.effects]
        self.effects.clear()


@cache
def deal_plan(game: Game) -> Plan:
    """How the game is dealt."""
    table, whole = _Hand(game), True
    try:
        for step in game.declaration.deal:
            table.carry_out(step)
    except _Seen:
        table.write_down()
        whole = False
    pack = tuple(text(card) for card in game.declaration.pack)
    down = tuple(name for name, lies_down in zip(game.piles, table.lies_down, strict=False) if lies_down)
    counters = {counter.name: counter.start for counter in game.declaration.counters}
    return Plan(pack, counters, tuple(table.steps), whole, down)
