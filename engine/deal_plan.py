"""The deal as data: the effects of its steps on the pack in hand.

With this plan, a client or a verifier can deal a game again without knowing its rules. To find the plan, the deal is
carried out once with cards whose faces cannot be read. What is recorded then is true for every shuffle::

    set foundation.0 AS       the lowest such card in hand goes face up on foundation.0
    shuffled hand deal        the cards in hand are shuffled; the last word is the label of the shuffle
    moved hand tableau.0 1    and every other effect (`cadogan.engine.effects`); the pack in hand lies face down

In some games the deal depends on the faces of the cards. Their plan ends before the first step that does.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, NoReturn, cast

from cadogan.engine.cards import DOWN, FACE, card_text
from cadogan.engine.declaration import PACK, Step
from cadogan.engine.effects import write_effect
from cadogan.engine.game import Game
from cadogan.engine.numbered_deals import MOST
from cadogan.engine.state import Pile, State
from cadogan.engine.table import Table

HAND = "hand"


class DealPlan(NamedTuple):
    """How a game is dealt.

    `pack` is the pack before the deal, bottom first, and `counters` are the counters then. `steps` are the steps of the
    deal, `whole` is whether they are complete, and `down` names the piles whose cards lie face down. `numbers` is the
    greatest number of a numbered deal, 0 if the game has none.
    """

    pack: tuple[str, ...]
    counters: dict[str, int]
    steps: tuple[str, ...]
    whole: bool
    down: tuple[str, ...]
    numbers: int = 0


class _FaceRead(Exception):
    """The deal depends on the face of a card."""


class _UnreadableCard:
    """A card that lies face up or face down, and whose face cannot be read: an attempt raises _FaceRead."""

    def __init__(self, down: int) -> None:
        self._down = down

    def __and__(self, bits: int) -> "int | _UnreadableCard":
        if bits == DOWN:
            return self._down
        return _UnreadableCard(0) if bits == FACE else self._refuse()

    def __or__(self, bits: int) -> "_UnreadableCard":
        return _UnreadableCard(DOWN) if bits == DOWN else self._refuse()

    def __xor__(self, bits: int) -> "_UnreadableCard":
        return _UnreadableCard(self._down ^ DOWN) if bits == DOWN else self._refuse()

    def _refuse(self, *_: object) -> NoReturn:
        raise _FaceRead

    __eq__ = __ne__ = __lt__ = __gt__ = __hash__ = __index__ = __int__ = __rshift__ = __rand__ = _refuse


class _RecordingTable(Table):
    """A table that records each step of the deal that is carried out on it."""

    def __init__(self, game: Game) -> None:
        declaration = game.declaration
        pack = tuple(number | DOWN for number in declaration.pack)
        start = State(((),) * len(game.piles) + (pack,), tuple(one.start for one in declaration.counters))
        super().__init__(start, (*(group.face_down for group in declaration.groups for _ in group), True))
        self.names = (*game.piles, HAND)
        self.counter_names = game.counters
        self.steps: list[str] = []

    def shuffle(self, piles: Sequence[int], sizes: Sequence[int], label: str) -> None:
        if tuple(piles) != (PACK,):
            raise _FaceRead
        self.record_effects()
        self.piles[PACK] = cast("Pile", tuple(_UnreadableCard(DOWN) for _ in self.piles[PACK]))
        self.steps.append(f"shuffled {HAND} {label}")

    def carry_out(self, step: Step) -> None:
        """Carry out one step of the deal. Setting out cards records no effect, so the piles are compared."""
        before, written = list(self.piles), len(self.steps)
        step(self)
        self.record_effects()
        if len(self.steps) == written:
            for name, old, new in zip(self.names[:PACK], before[:PACK], self.piles[:PACK], strict=True):
                self.steps += [f"set {name} {card_text(card)}" for card in new[len(old) :]]

    def record_effects(self) -> None:
        """Turn the effects since the last call into steps."""
        self.steps += [write_effect(effect, self.names, self.counter_names) for effect in self.effects]
        self.effects.clear()


@cache
def plan_deal(game: Game) -> DealPlan:
    """Find out how a game is dealt."""
    table, whole = _RecordingTable(game), True
    try:
        for step in game.declaration.deal:
            table.carry_out(step)
    except _FaceRead:
        table.record_effects()
        whole = False
    pack = tuple(card_text(card) for card in game.declaration.pack)
    down = tuple(name for name, face_down in zip(game.piles, table.face_down, strict=False) if face_down)
    counters = {counter.name: counter.start for counter in game.declaration.counters}
    numbers = MOST if game.declaration.numbered else 0
    return DealPlan(pack, counters, tuple(table.steps), whole, down, numbers)
