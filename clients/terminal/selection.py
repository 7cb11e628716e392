"""Tapping piles one after another: what is in hand, and what a tap on a pile does. Pure; nothing here knows a game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from clients.sdk.moves import (
    Move,
    can_pick,
    find_joint,
    find_targets,
    find_transfer,
    pick_count,
    pick_counts,
    transfer_text,
)
from clients.sdk.session import DOWN, Faces


@dataclass(frozen=True)
class Hand:
    """What the player holds: piles in the order of picking, and how many cards of the first."""

    picked: tuple[str, ...] = ()
    count: int = 0


EMPTY = Hand()


@dataclass(frozen=True)
class Tapped:
    """What a tap did. `play` is the text of a legal move; `attempt` of one that is not: the server says why."""

    hand: Hand = EMPTY
    play: str | None = None
    attempt: str | None = None


@dataclass(frozen=True)
class Table:
    """A position as hands need it: the legal moves, the cards and each pile's role."""

    moves: Sequence[Move]
    piles: Mapping[str, Faces]
    roles: Mapping[str, str]

    def stock_action(self, pile: str) -> str | None:
        """What tapping a stock means: `deal` while it is legal, else `redeal`."""
        if self.roles.get(pile) != "stock":
            return None
        texts = {move.text for move in self.moves}
        return next((verb for verb in ("deal", "redeal") if verb in texts), None)

    def grasp(self, pile: str, depth: int) -> Hand:
        """Take a pile in hand, so many cards deep, if there is anything in it to hold."""
        cards = self.piles.get(pile, ())
        if not cards or (cards[-1] == DOWN and not can_pick(self.moves, pile)):
            return EMPTY
        return Hand((pile,), min(pick_count(self.moves, pile, max(1, depth)), len(cards)))

    def targets(self, hand: Hand) -> dict[str, Move]:
        """Where the cards in hand may go, and by which move."""
        return find_targets(self.moves, hand.picked, hand.count)

    def tap(self, hand: Hand, pile: str, depth: int) -> Tapped:
        """One tap.

        With an empty hand it deals or picks; with a full one it plays, adds to the selection, picks something else or,
        where nothing fits, names the move that was meant.
        """
        action = self.stock_action(pile)
        lifts = can_pick(self.moves, pile)
        if not hand.picked:
            return Tapped(play=action) if action and not lifts else Tapped(self.grasp(pile, depth))
        if pile in hand.picked:
            if action and len(hand.picked) == 1:
                return Tapped(play=action)
            left = tuple(other for other in hand.picked if other != pile)
            return Tapped(Hand(left, 1) if left else EMPTY)
        move = self._playing(hand, pile)
        if move is not None:
            return Tapped(play=move.text)
        if pile in self.targets(hand):
            return Tapped(Hand((*hand.picked, pile), 1))
        if action and not lifts:
            return Tapped(play=action)
        if lifts:
            return Tapped(self.grasp(pile, depth))
        if len(hand.picked) > 1:
            return Tapped()
        return Tapped(attempt=transfer_text(hand.picked[0], pile, hand.count))

    def more(self, hand: Hand, step: int) -> Hand:
        """The same pile in hand with the next number of cards that a move takes, or the one before."""
        if len(hand.picked) != 1:
            return hand
        counts = pick_counts(self.moves, hand.picked[0])
        further = [count for count in counts if (count - hand.count) * step > 0]
        if not further:
            return hand
        return Hand(hand.picked, min(further) if step > 0 else max(further))

    def _playing(self, hand: Hand, pile: str) -> Move | None:
        if len(hand.picked) == 1:
            transfer = find_transfer(self.moves, hand.picked[0], pile, hand.count)
            if transfer is not None:
                return transfer
        return find_joint(self.moves, (*hand.picked, pile))
