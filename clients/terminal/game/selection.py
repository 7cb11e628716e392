"""Select cards by tapping piles one after another. It is pure, and the same for every game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cadogan.sdk.moves import (
    Move,
    can_pick,
    find_joint,
    find_targets,
    find_transfer,
    pick_count,
    pick_counts,
    transfer_text,
)
from cadogan.sdk.session import DOWN, Faces


@dataclass(frozen=True)
class Selection:
    """The selected cards: `piles` in the order of selecting, and `count` cards of the first pile."""

    piles: tuple[str, ...] = ()
    count: int = 0


NO_SELECTION = Selection()


@dataclass(frozen=True)
class TapResult:
    """The result of a tap: the new selection, and the text of a move to play.

    `legal_move` is legal. `illegal_move` is not, and is sent to get the reason from the server.
    """

    selection: Selection = NO_SELECTION
    legal_move: str | None = None
    illegal_move: str | None = None


@dataclass(frozen=True)
class Position:
    """A position to select cards in: the legal moves, the cards of each pile from the bottom, and each pile's role."""

    moves: Sequence[Move]
    piles: Mapping[str, Faces]
    roles: Mapping[str, str]

    def stock_move(self, pile: str) -> str | None:
        """Return the move that a tap on this pile means if it is a stock: `deal` if that is legal, else `redeal`."""
        if self.roles.get(pile) != "stock":
            return None
        texts = {move.text for move in self.moves}
        return next((verb for verb in ("deal", "redeal") if verb in texts), None)

    def select(self, pile: str, depth: int) -> Selection:
        """Select the cards of a pile down to this depth (1 is the top card), if there is a card to select."""
        cards = self.piles.get(pile, ())
        if not cards or (cards[-1] == DOWN and not can_pick(self.moves, pile)):
            return NO_SELECTION
        return Selection((pile,), min(pick_count(self.moves, pile, max(1, depth)), len(cards)))

    def find_targets(self, selection: Selection) -> dict[str, Move]:
        """Return the piles to which the selected cards may go, each with the move that does it."""
        return find_targets(self.moves, selection.piles, selection.count)

    def tap(self, selection: Selection, pile: str, depth: int) -> TapResult:
        """Return the result of a tap on a card.

        Without a selection it deals or selects. With one it plays a move, adds to the selection, selects other cards,
        or otherwise returns the attempted illegal move.
        """
        stock_move = self.stock_move(pile)
        is_pickable = can_pick(self.moves, pile)
        if not selection.piles:
            if stock_move and not is_pickable:
                return TapResult(legal_move=stock_move)
            return TapResult(self.select(pile, depth))
        if pile in selection.piles:
            if stock_move and len(selection.piles) == 1:
                return TapResult(legal_move=stock_move)
            left = tuple(other for other in selection.piles if other != pile)
            return TapResult(Selection(left, 1) if left else NO_SELECTION)
        move = self._find_move(selection, pile)
        if move is not None:
            return TapResult(legal_move=move.text)
        if pile in self.find_targets(selection):
            return TapResult(Selection((*selection.piles, pile), 1))
        if stock_move and not is_pickable:
            return TapResult(legal_move=stock_move)
        if is_pickable:
            return TapResult(self.select(pile, depth))
        if len(selection.piles) > 1:
            return TapResult()
        return TapResult(illegal_move=transfer_text(selection.piles[0], pile, selection.count))

    def change_count(self, selection: Selection, step: int) -> Selection:
        """Return the selection with the next larger (`step` 1) or smaller (-1) number of cards that a move takes."""
        if len(selection.piles) != 1:
            return selection
        counts = pick_counts(self.moves, selection.piles[0])
        further = [count for count in counts if (count - selection.count) * step > 0]
        if not further:
            return selection
        return Selection(selection.piles, min(further) if step > 0 else max(further))

    def _find_move(self, selection: Selection, pile: str) -> Move | None:
        if len(selection.piles) == 1:
            transfer = find_transfer(self.moves, selection.piles[0], pile, selection.count)
            if transfer is not None:
                return transfer
        return find_joint(self.moves, (*selection.piles, pile))
