"""La Belle Lucie: eighteen open fans of three, built down in suit card by card, with two shuffled redeals."""

from cadogan.engine.cards import pack
from cadogan.engine.declaration import (
    Action,
    Counter,
    Declaration,
    Group,
    Interchangeable,
    Route,
    SafeHome,
    counters,
    lay_out,
)
from cadogan.engine.layout import RIGHTWARDS, grid, row
from cadogan.engine.parts import all_hold, any_left, base, cards_in, holds_cards, none_left, packets, shuffle
from cadogan.engine.relations import down, in_suit, up
from cadogan.engine.table import Table

foundation, tableau = lay_out(
    Group("foundation", 4, "foundation", row(4.6, 0)),
    Group("tableau", 18, "tableau", grid(6, 0, 1.3, 2.2, 1.2), RIGHTWARDS),
)
(redeals,) = counters(redeals=2)


def redeal_in_threes(fans: Group, times: Counter) -> Action:
    """``redeal``, at any time: the fans are gathered in their order, shuffled, and dealt in threes from the first."""

    def step(table: Table) -> None:
        count = fans.size(table)
        sizes = [min(3, max(0, count - 3 * number)) for number in range(len(fans))]
        table.shuffle(tuple(fans), sizes, f"redeal.{times.of(table)}")
        times.add(table, -1)

    return Action("redeal", holds_cards(fans) & any_left(times), step)


GAME = Declaration(
    name="La Belle Lucie",
    summary="Free four aces from eighteen fans of three and build each up to its king, with two shuffled redeals.",
    also_known_as=("Lovely Lucy", "Clover Leaf", "Midnight Oil", "Alexander the Great"),
    groups=(foundation, tableau),
    counters=(redeals,),
    pack=pack(),
    deal=(shuffle(), packets(tableau, [3] * 17 + [1])),
    routes=(
        Route(tableau, foundation, onto=in_suit & up, empty=base("A")),
        Route(tableau, tableau, onto=in_suit & down),
    ),
    actions=(redeal_in_threes(tableau, redeals),),
    interchangeable=(Interchangeable(tableau, none_left(redeals)),),
    safe_home=SafeHome(none_left(redeals)),
    score=cards_in(foundation),
    maximum=52,
    won=all_hold(foundation, 13),
)
