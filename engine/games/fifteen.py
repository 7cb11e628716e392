"""The Fifteen: two whole packs in fifteen open columns, and one grace if no foundation can be begun."""

from itertools import combinations

from cadogan.engine.cards import EVERY, pack, rank, suit
from cadogan.engine.declaration import Declaration, Group, Interchangeable, Route, Special, counters, lay_out
from cadogan.engine.layout import DOWNWARDS, joined, row
from cadogan.engine.parts import all_hold, base, cards_in, rows, shuffle
from cadogan.engine.relations import down, in_suit, neighbour, up
from cadogan.engine.state import Position
from cadogan.engine.table import Table

foundation, tableau = lay_out(
    Group("foundation", 8, "foundation", joined((4, row(2.9, 0)), (4, row(8.1, 0)))),
    Group("tableau", 15, "tableau", row(0, 1.3), DOWNWARDS),
)
(graces,) = counters(graces=1)
ENDS = (1, 13)
SIXTH = 5


def buried(position: Position) -> list[int]:
    """The columns to which the grace applies: an ace or king lies sixth and is covered, and no foundation is begun."""
    if not graces.of(position) or foundation.size(position):
        return []
    piles = tableau.of(position)
    if any(pile and rank(pile[-1]) in ENDS for pile in piles):
        return []
    return [index for index, pile in zip(tableau, piles, strict=True) if len(pile) > 6 and rank(pile[SIXTH]) in ENDS]


def offers(position: Position) -> list[tuple[int, ...]]:
    """One buried ace or king, or an ace and a king."""
    columns, piles = buried(position), position.piles
    pairs = [pair for pair in combinations(columns, 2) if len({rank(piles[index][SIXTH]) for index in pair}) == 2]
    return [*((index,) for index in columns), *pairs]


def grace(table: Table, columns: tuple[int, ...]) -> None:
    """Move the sixth card to its foundation; the cards on it close up."""
    for index in columns:
        sixth, above = table.piles[index][SIXTH], len(table.piles[index]) - SIXTH - 1
        aside = next(other for other in tableau if other != index)
        table.move(index, aside, above)
        table.move(index, foundation.start + suit(sixth) + (4 if rank(sixth) == 13 else 0))
        table.move(aside, index, above)
    graces.put(table, 0)


GAME = Declaration(
    name="The Fifteen",
    summary="Two whole packs in fifteen open columns: build aces up and kings down, with one grace to open the game.",
    also_known_as=("Fifteen",),
    groups=(foundation, tableau),
    counters=(graces,),
    pack=pack(2),
    deal=(shuffle(), rows(tableau, 6), rows(tableau[0:14])),
    routes=(
        Route(tableau, foundation[0:4], onto=in_suit & up, empty=base("A")),
        Route(tableau, foundation[4:8], onto=in_suit & down, empty=base("K")),
        Route(tableau, tableau, onto=in_suit & neighbour),
        Route(tableau, tableau, empty=EVERY, keep=1),
    ),
    specials=(Special("grace", offers, grace),),
    interchangeable=(Interchangeable(tableau),),
    score=cards_in(foundation),
    maximum=104,
    won=all_hold(foundation, 13),
)
