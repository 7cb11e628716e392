"""The table on which one move is executed: it changes piles and counters, and records each effect.

Every function that executes part of a game (a step of the deal, a special move, an automatic effect) works on a Table,
so its actions and the recorded effects cannot differ. Folding a record uses the same methods.
"""

from collections.abc import Sequence

from cadogan.engine import shuffle
from cadogan.engine.cards import DOWN, FACE
from cadogan.engine.effects import KEPT, REVERSED, Counted, Effect, Exchanged, Moved, Redealt, Turned
from cadogan.engine.errors import BrokenEffect
from cadogan.engine.state import Pile, State


class Table:
    """A position that is being changed.

    `piles` and `counters` are the present ones, `before` holds the piles before the move, and `effects` records what
    was done. `revealed` is whether the move may have revealed something to the player: a face-down card came face up,
    or cards were put in an order that is neither kept nor reversed. `face_down` says by pile index whether cards lie
    face down there, and `seed` is the seed from which shuffles are drawn.
    """

    __slots__ = ("before", "counters", "effects", "face_down", "piles", "revealed", "seed")

    def __init__(self, state: State, face_down: Sequence[bool], seed: bytes = b"") -> None:
        self.piles: list[Pile] = list(state.piles)
        self.counters: list[int] = list(state.counters)
        self.before = state.piles
        self.face_down = face_down
        self.effects: list[Effect] = []
        self.revealed = False
        self.seed = seed

    def state(self) -> State:
        """Return the position as it is now."""
        return State(tuple(self.piles), tuple(self.counters))

    def move(self, source: int, target: int, count: int = 1) -> None:
        """Put the top `count` cards of one pile on another and keep their order.

        Raises BrokenEffect when the source has fewer cards, or is the target itself.
        """
        pile = self.piles[source]
        if not 0 < count <= len(pile) or source == target:
            raise BrokenEffect(f"cannot move {count} of {len(pile)} cards from pile {source} to pile {target}")
        moved = pile[-count:]
        self.piles[source] = pile[:-count]
        self.piles[target] += self._as_laid(moved, target)
        self.effects.append(Moved(source, target, count))

    def _as_laid(self, cards: Pile, target: int) -> Pile:
        """Return the cards as they lie on the target, face up or face down."""
        if self.face_down[target]:
            return tuple([card | DOWN for card in cards])
        if not any([card & DOWN for card in cards]):
            return cards
        self.revealed = True
        return tuple([card & FACE for card in cards])

    def turn(self, pile: int, place: int = -1, up: bool = True) -> None:
        """Turn one card of a pile face up or face down; nothing happens if it lies so already.

        `place` counts from 0 at the bottom or, if negative, from -1 at the top. Raises BrokenEffect when the pile has
        no such card.
        """
        cards = self.piles[pile]
        if not -len(cards) <= place < len(cards):
            raise BrokenEffect(f"no card {place} in pile {pile} of {len(cards)} cards")
        place %= len(cards)
        card = cards[place]
        if bool(card & DOWN) != up:
            return
        self.piles[pile] = (*cards[:place], card ^ DOWN, *cards[place + 1 :])
        self.revealed = self.revealed or up
        self.effects.append(Turned(pile, place, up))

    def exchange(self, first: int, second: int) -> None:
        """Let the top cards of two piles change places. Raises BrokenEffect when one of the piles is empty."""
        one, other = self.piles[first], self.piles[second]
        if not one or not other or first == second:
            raise BrokenEffect(f"no two cards to exchange between piles {first} and {second}")
        self.piles[first] = one[:-1] + self._as_laid(other[-1:], first)
        self.piles[second] = other[:-1] + self._as_laid(one[-1:], second)
        self.effects.append(Exchanged(first, second))

    def redeal(self, piles: Sequence[int], sizes: Sequence[int], order: str | Sequence[int] = KEPT) -> None:
        """Gather piles, each from the bottom up, put the cards in a new order, and lay them out again.

        `sizes` says how many cards each of the piles receives. `order` is KEPT, REVERSED or a permutation
        (`cadogan.engine.effects.Redealt`). Raises BrokenEffect when the sizes or the order do not fit the cards.
        """
        cards = [card for pile in piles for card in self.piles[pile]]
        places: Sequence[int]
        if order == KEPT:
            places = range(len(cards))
        elif order == REVERSED:
            places = range(len(cards) - 1, -1, -1)
        else:
            places = [place for place in order if isinstance(place, int)]
        if (
            len(set(piles)) != len(piles)
            or len(sizes) != len(piles)
            or sum(sizes) != len(cards)
            or min(sizes, default=0) < 0
            or sorted(places) != list(range(len(cards)))
        ):
            raise BrokenEffect(f"cannot lay out {len(cards)} cards of piles {list(piles)} in sizes {list(sizes)}")
        start = 0
        for pile, size in zip(piles, sizes, strict=True):
            self.piles[pile] = self._as_laid(tuple([cards[place] for place in places[start : start + size]]), pile)
            start += size
        self.revealed = self.revealed or not isinstance(order, str)
        self.effects.append(Redealt(tuple(piles), tuple(sizes), order if isinstance(order, str) else tuple(order)))

    def shuffle(self, piles: Sequence[int], sizes: Sequence[int], label: str) -> None:
        """Redeal in an order drawn from the game's seed; different labels give different shuffles."""
        count = sum(len(self.piles[pile]) for pile in piles)
        self.redeal(piles, sizes, tuple(shuffle.draw_order(count, self.seed, label)))

    def set_counter(self, counter: int, value: int) -> None:
        """Set a counter; nothing is recorded if it has this value already."""
        if self.counters[counter] != value:
            self.counters[counter] = value
            self.effects.append(Counted(counter, value))

    def apply(self, effect: Effect) -> None:
        """Apply an effect of a record. Raises BrokenEffect if it is impossible in this position."""
        match effect:
            case Moved(source, target, count):
                self.move(source, target, count)
            case Turned(pile, place, up):
                self.turn(pile, place, up)
            case Exchanged(first, second):
                self.exchange(first, second)
            case Redealt(piles, sizes, order):
                self.redeal(piles, sizes, order)
            case Counted(counter, value):
                self.set_counter(counter, value)
