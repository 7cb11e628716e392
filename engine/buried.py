"""Buried cards: a proof that a position of Klondike or Yukon cannot be won, because a card can never go home.

The proof asks for less than the rules do: what was possible once stays possible (the *delete relaxation* of automated
planning). What follows from the position under these weaker rules is a least fixed point:

- a card of a column is *clear* once the card that lies on it has left it; it can then go home after the card before it;
- a face-up card, and a face-down one that is clear, can leave the card below it for a card of the columns that is
  clear, that it fits, and that does not lie above it in the same column with nothing gone in between; a suitable card
  can leave for a column that can become empty, unless it is the lowest of its own; and what can go home can leave;
- a card outside the columns can go home, and can come to the columns, where it is clear, in the same ways.

Every play is a play under these rules, too: in the order in which things first happen in it, each has what it needs. So
a card that cannot go home under them cannot go home at all.
"""

from collections.abc import Callable

from cadogan.engine.cards import BIT, DOWN, EVERY, FACE, of_rank
from cadogan.engine.declaration import Group
from cadogan.engine.parts import face_up
from cadogan.engine.relations import Relation
from cadogan.engine.state import Position

ACES = of_rank("A")
VACANCY = 1
"""Stands for an empty column in the set of what cards can be laid on; no card has this bit."""
NEXT_RANK = 4
"""How far the bit of the next card of a suit is from that of a card."""


def buried(
    foundation: Group,
    columns: Group,
    *,
    onto: Relation,
    empty: int,
    whole_piles: bool = False,
    open_piles: tuple[Group, ...] = (),
    stacks: tuple[Group, ...] = (),
) -> Callable[[Position], bool]:
    """Make a test whether a card can never go home.

    It is for games of one pack in which foundations are built up in suit from the ace, and cards come to `columns` by
    `onto` or, into an empty column, if they are among the cards `empty`. With `whole_piles`, the face-up cards of a
    column go to another one only all together. All cards of `open_piles` may be played at any time; those of `stacks`
    once the cards above them have left.
    """
    accepts = onto.table
    lies_on = tuple(
        sum(BIT[top] for top in range(4, 56) if accepts[top] >> card & 1) | (VACANCY if empty >> card & 1 else 0)
        for card in range(FACE + 1)
    )
    open_indices = tuple(index for group in open_piles for index in group)
    stack_indices = tuple(index for group in stacks for index in group)

    def is_hopeless(position: Position) -> bool:
        piles, home = position.piles, 0
        for index in foundation:
            for card in piles[index]:
                home |= BIT[card]
        laid, wanted, is_new = 0, 0, True
        while is_new and home != EVERY:
            before_home, before_laid = home, laid
            clear = 0
            for index in columns:
                height, is_clear, stuck = len(piles[index]), True, 0
                highest = height - face_up(piles[index]) if whole_piles else height
                for card in reversed(piles[index]):
                    face, height = card & FACE, height - 1
                    bit = BIT[face]
                    if is_clear:
                        clear |= bit
                        laid |= bit
                        wanted |= accepts[face]
                    if is_clear or card < DOWN:
                        targets = lies_on[face] & laid & ~stuck
                        if height > highest:
                            targets = 0
                        elif height == 0:
                            targets &= ~VACANCY
                        is_clear = bool(home & bit | targets)
                    stuck = 0 if is_clear else stuck | bit
                if is_clear:
                    laid |= VACANCY
                    wanted |= empty
            for index in (*open_indices, *stack_indices):
                for card in reversed(piles[index]):
                    face = card & FACE
                    bit = BIT[face]
                    clear |= bit
                    if wanted & bit:
                        laid |= bit
                        wanted |= accepts[face]
                    elif index in stack_indices and not home & bit:
                        break
            following = (home << NEXT_RANK | ACES) & clear & ~home
            while following:
                home |= following
                following = (home << NEXT_RANK | ACES) & clear & ~home
            is_new = home != before_home or laid != before_laid
        return home != EVERY

    return is_hopeless
