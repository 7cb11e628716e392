"""The Clock: twelve cards are built up until each shows its hour; packets of three around them are refilled."""

from cadogan.engine.cards import pack, rank
from cadogan.engine.declaration import Action, Declaration, Group, Guard, Route, lay_out
from cadogan.engine.layout import DOWNWARDS, LEFTWARDS, RIGHTWARDS, at
from cadogan.engine.parts import cards_in, deal_to, holds_cards, packets, rest, set_out, shuffle
from cadogan.engine.relations import down_around, in_suit, up_around
from cadogan.engine.state import Position
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

DIAL = (
    *((7.3, 2.28), (8.32, 3.3), (8.7, 4.7), (8.32, 6.1), (7.3, 7.12), (5.9, 7.5)),
    *((4.5, 7.12), (3.48, 6.1), (3.1, 4.7), (3.48, 3.3), (4.5, 2.28), (5.9, 1.9)),
)
CIRCLE = (
    *((8.25, 0.63), (9.97, 2.35), (10.6, 4.7), (9.97, 7.05), (8.25, 8.77), (5.9, 9.4)),
    *((3.55, 8.77), (1.83, 7.05), (1.2, 4.7), (1.83, 2.35), (3.55, 0.63), (5.9, 0)),
)
TALL_DIAL = (
    *((4.9, 1.68), (5.77, 2.75), (6.08, 4.05), (5.77, 5.35), (4.9, 6.42), (3.78, 6.65)),
    *((2.66, 6.42), (1.79, 5.35), (1.48, 4.05), (1.79, 2.75), (2.66, 1.68), (3.78, 1.45)),
)
TALL_CIRCLE = (
    *((6, 0.54), (7.1, 2.03), (7.56, 4.05), (7.1, 6.08), (6, 7.56), (3.78, 8.1)),
    *((1.56, 7.56), (0.46, 6.08), (0, 4.05), (0.46, 2.03), (1.56, 0.54), (3.78, 0)),
)
WIDE_DIAL = (
    *((9.5, 1.06), (11.3, 1.06), (12.2, 2.12), (11.3, 3.18), (9.5, 3.18), (7.7, 3.18)),
    *((5.9, 3.18), (4.1, 3.18), (3.2, 2.12), (4.1, 1.06), (5.9, 1.06), (7.7, 1.06)),
)
WIDE_CIRCLE = (
    *((9.9, 0), (12.1, 0), (13.9, 2.12), (12.1, 4.24), (9.9, 4.24), (7.7, 4.24)),
    *((5.5, 4.24), (3.3, 4.24), (1, 2.12), (3.3, 0), (5.5, 0), (7.7, 0)),
)
foundation, circle, stock, waste = lay_out(
    Group("foundation", 12, "foundation", at(*DIAL)),
    Group("circle", 12, "tableau", at(*CIRCLE), lambda number: LEFTWARDS if 6 <= number <= 10 else RIGHTWARDS),
    Group("stock", 1, "stock", at((5.3, 4.7))),
    Group("waste", 1, "waste", at((6.5, 4.7))),
)
rising, married = (in_suit & up_around).table, (in_suit & down_around).table


def shows_its_hour(position: Position, index: int) -> bool:
    """Whether the foundation shows the card of its hour."""
    pile = position.piles[index]
    return bool(pile) and rank(pile[-1]) == index - foundation.start + 1


def next_card(position: Position, index: int) -> int:
    """The card that a foundation takes until it shows its hour."""
    pile = position.piles[index]
    return rising[pile[-1]] if pile and not shows_its_hour(position, index) else 0


def marries(position: Position, index: int) -> int:
    """The cards that a packet takes, unless it has fewer than three cards."""
    pile = position.piles[index]
    return married[pile[-1]] if len(pile) >= 3 else 0


def short(position: Position) -> bool:
    """Whether a packet has fewer than three cards."""
    return any(len(pile) < 3 for pile in circle.of(position))


def refill(table: Table) -> None:
    """Bring packet after packet up to three cards, until the stock is empty."""
    for index in circle:
        while len(table.piles[index]) < 3 and table.piles[stock.start]:
            table.move(stock.start, index)


deal = deal_to(waste, stock)

GAME = Declaration(
    name="The Clock",
    summary="Twelve cards rise in suit until each shows its hour, fed by twelve packets of three around the dial.",
    also_known_as=("Big Ben",),
    groups=(foundation, circle, stock, waste),
    pack=pack(2),
    deal=(set_out(foundation, "6C 7H 8S 9D TC JH QS KD 2C 3H 4S 5D"), shuffle(), packets(circle, 3), rest(stock)),
    routes=(
        Route((circle, waste), foundation, takes=next_card),
        Route(circle, circle, takes=marries),
    ),
    actions=(
        Action("refill", holds_cards(stock) & Guard(short, "no packet is short"), refill),
        Action(
            "deal",
            deal.when & Guard(lambda position: not short(position), "a packet is short: refill first"),
            deal.play,
        ),
    ),
    in_brief={
        "foundation": (
            translatable("Build up in suit; the ace follows the king."),
            translatable("A pile is complete when it shows its hour."),
        ),
        "circle": (
            translatable("Build down in suit; the king follows the ace."),
            translatable("A packet of fewer than three cards takes none."),
        ),
        "stock": (translatable("Refill every packet to three cards before you deal."),),
    },
    score=cards_in(foundation),
    maximum=104,
    won=lambda position: all(shows_its_hour(position, index) for index in foundation),
    tall={
        "foundation": at(*TALL_DIAL),
        "circle": (at(*TALL_CIRCLE), DOWNWARDS),
        "stock": at((3.24, 4.05)),
        "waste": at((4.32, 4.05)),
    },
    wide={
        "foundation": at(*WIDE_DIAL),
        "circle": (at(*WIDE_CIRCLE), RIGHTWARDS),
        "stock": at((7.1, 2.12)),
        "waste": at((8.3, 2.12)),
    },
)
