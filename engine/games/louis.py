"""The "Louis" Patience: circles of twelve letters are dealt round four aces and four kings, then the letters marry."""

from cadogan.engine.cards import of_suit, pack
from cadogan.engine.declaration import Action, Declaration, Group, Guard, Route, counters, lay_out
from cadogan.engine.effects import REVERSED
from cadogan.engine.games.nation import higher, homes, lower
from cadogan.engine.layout import Spread, at, grid, row
from cadogan.engine.parts import all_show, any_left, cards_in, holds_cards, is_empty, rest, set_out, shuffle
from cadogan.engine.relations import in_suit, neighbour
from cadogan.engine.table import Table


def letters(x: float, y: float) -> tuple[tuple[float, float], ...]:
    """The twelve places around the foundations, from a to m, all moved by an offset."""
    ring = [(1.3, 0), (2.4, 0), (3.5, 0), (4.6, 0), (5.9, 1.3), (5.9, 2.4)]
    ring += [(4.6, 3.7), (3.5, 3.7), (2.4, 3.7), (1.3, 3.7), (0, 2.4), (0, 1.3)]
    return tuple((x + across, y + below) for across, below in ring)


foundation, under, alphabet, aside, waste, stock = lay_out(
    Group("foundation", 8, "foundation", grid(4, 1.3, 1.3)),
    Group("under", 12, "reserve", at(*letters(0.08, 0.06)), Spread(only_filled=True)),
    Group("alphabet", 12, "tableau", at(*letters(0, 0))),
    Group("aside", 4, "reserve", row(7.6, 3.7)),
    Group("waste", 1, "waste", at((8.7, 0))),
    Group("stock", 1, "stock", at((7.6, 0))),
)
(redeals,) = counters(redeals=3)
rising, falling = foundation[0:4], foundation[4:8]
TAKEN_UP = (*alphabet[5::-1], *alphabet[:5:-1])
"""The packets as they are dealt again: f to a, then m to g."""


def deal_circle(table: Table) -> None:
    """Turn card after card: it is played if it fits, waits if there is a choice, or is laid on the next letter."""
    while table.piles[stock.start] and not table.piles[waste.start] and (vacant := alphabet.vacancies(table)):
        fitting = homes(table, table.piles[stock.start][-1], rising, falling)
        table.move(stock.start, fitting[0] if len(fitting) == 1 else waste.start if fitting else vacant[0])


def deal(table: Table) -> None:
    """Lay the last circle under its letters, and deal a new one."""
    for letter, circle in zip(alphabet, under, strict=True):
        if table.piles[letter]:
            table.move(letter, circle, len(table.piles[letter]))
    deal_circle(table)


def deal_again(table: Table) -> None:
    """Take the packets up, turn them over and deal the first circle."""
    table.redeal((*TAKEN_UP, stock.start), (*[0] * len(alphabet), alphabet.size(table)), REVERSED)
    redeals.add(table, -1)
    deal_circle(table)


def go_on(table: Table) -> None:
    """Go on with the circle after a choice."""
    if table.before[waste.start]:
        deal_circle(table)


def put_back(table: Table) -> None:
    """When the stock is empty, put the lower circles back beneath their letters."""
    if not table.piles[stock.start] and not table.piles[waste.start]:
        for letter, circle in zip(alphabet, under, strict=True):
            if table.piles[circle]:
                count = len(table.piles[circle]) + len(table.piles[letter])
                table.redeal((circle, letter), (0, count))


NO_CHOICE = is_empty(waste)
SECOND_DEAL = Guard(lambda position: redeals.of(position) <= 2, "only from the second deal on")

GAME = Declaration(
    name='The "Louis" Patience',
    summary="Circles of twelve letters are dealt round four aces and four kings; when the stock is empty, they marry.",
    also_known_as=("Louis", "St Louis"),
    groups=(foundation, under, alphabet, aside, waste, stock),
    counters=(redeals,),
    pack=pack(2),
    deal=(set_out(foundation, "AS AH AD AC KS KH KD KC"), shuffle(), rest(stock), deal_circle),
    routes=(
        Route(waste, rising, onto=higher, forced=True),
        Route(waste, falling, onto=lower, forced=True),
        Route(waste, aside, onto=in_suit, empty=of_suit, when=SECOND_DEAL, forced=True),
        Route((alphabet, aside), rising, onto=higher, when=NO_CHOICE),
        Route((alphabet, aside), falling, onto=lower, when=NO_CHOICE),
        Route(alphabet, alphabet, onto=in_suit & neighbour, when=is_empty(stock, waste)),
        Route(rising, falling, onto=lower, keep=1, when=NO_CHOICE & SECOND_DEAL),
        Route(falling, rising, onto=higher, keep=1, when=NO_CHOICE & SECOND_DEAL),
    ),
    actions=(
        Action("deal", holds_cards(stock) & NO_CHOICE, deal),
        Action("redeal", is_empty(stock, waste) & holds_cards(alphabet) & any_left(redeals), deal_again),
    ),
    automatic=(go_on, put_back),
    score=cards_in(foundation),
    maximum=104,
    won=all_show(foundation, "KKKKAAAA"),
)
