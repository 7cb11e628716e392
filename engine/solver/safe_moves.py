"""Safe moves: cards that can go home at once, because this never makes a winnable deal unwinnable.

A game declares that its rules allow this (`cadogan.engine.declaration.SafeHome`). A card *c* that may go home is then
safe if

1. each card that a route lets lie on *c*, outside the foundations, is home already, in every copy; and
2. as many foundations take *c* now, and nothing but *c*, as there are copies of *c* that are not home.

Proof. Let *L* be moves that win from here, and let *S* be the position after *c* has gone home instead. Play *L* from
*S* with these changes. Every move of *c* itself is left out. A copy of *c* that *L* sends home goes to another
foundation of those in 2 if its own is taken; one is left for each copy, and since all of these show the same card and
follow the same routes, their names do not matter. All other moves stay as they are, and stay legal, because *S* differs
from the position that *L* sees in two things only: *c* is not where it would be, and one of those foundations is one
card ahead.

- Nothing is laid on *c* in *L*: by 1 such a card is home, and no card leaves its foundation. So *c* is on top of its
  pile until it moves, or in the waste, where cards that are dealt may cover it.
- A card under *c* is free in *S* earlier than in *L*, which takes nothing away. A pile that is empty without *c* takes
  every card that it would take with *c*, and more.
- The deal of a card from the stock to the waste does not ask what lies there.
- On the foundation that is ahead, only a copy of *c* would go next.

In a win every card is home, so *L* sends *c* home too. After that the two positions are the same, and *S* is won.
"""

from collections import Counter

from cadogan.engine.cards import BIT, FACE, members
from cadogan.engine.declaration import Declaration
from cadogan.engine.move_generation import pile_indices
from cadogan.engine.moves import TRANSFER, Move
from cadogan.engine.state import State


class SafeMoves:
    """Finds the safe moves of one game; none if the game declares none.

    `foundations` has the number of each foundation by its pile index, `onto` and `empty` what each takes, `laid_on` by
    card the cards that a route lets lie on it outside the foundations, and `copies` how many of a card there are.
    """

    def __init__(self, declaration: Declaration) -> None:
        self._safe_home = declaration.safe_home
        self.copies = Counter(declaration.pack)
        groups = [group for group in declaration.groups if group.role == "foundation"]
        self.foundations = {index: index - group.start for group in groups for index in group}
        self.onto: dict[int, tuple[int, ...]] = {}
        self.empty: dict[int, int] = {}
        laid_on = [0] * (FACE + 1)
        for route in declaration.routes:
            for target in pile_indices(route.target):
                if target in self.foundations:
                    number = self.foundations[target]
                    self.onto[target] = route.onto.table if route.onto else (0,) * 128
                    self.empty[target] = route.empty(number) if callable(route.empty) else route.empty
                elif route.onto:
                    laid_on = [cards | more for cards, more in zip(laid_on, route.onto.table, strict=False)]
        self.laid_on = [tuple(members(cards)) for cards in laid_on]

    def find(self, state: State, moves: list[Move]) -> Move | None:
        """Return a safe one of the legal moves of a position, or None."""
        declared = self._safe_home
        if declared is None or (declared.when is not None and not declared.when(state)):
            return None
        piles, home = state.piles, None
        for move in moves:
            if move.verb != TRANSFER or move.piles[1] not in self.foundations:
                continue
            if home is None:
                home = Counter([card for index in self.foundations for card in piles[index]])
            card = piles[move.piles[0]][-1] & FACE
            if all([home[each] == self.copies[each] for each in self.laid_on[card]]):
                takes = [self.onto[at][piles[at][-1]] if piles[at] else self.empty[at] for at in self.foundations]
                if takes.count(BIT[card]) >= self.copies[card] - home[card]:
                    return move
        return None
