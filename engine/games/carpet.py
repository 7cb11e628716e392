"""The Carpet: sixty-four cards laid upright and crosswise; a card is free when one of its narrow ends is."""

from cadogan.engine.arrangement import FLOWING
from cadogan.engine.cards import pack
from cadogan.engine.declaration import Declaration, Group, Route, counters, lay_out
from cadogan.engine.layout import Place, Placing, at, column, joined
from cadogan.engine.parts import all_show, cards_in, deal_to, redeal, rest, rows, set_out, shuffle
from cadogan.engine.relations import down, in_suit, neighbour, up
from cadogan.engine.state import Position
from cadogan.engine.translatable_text import translatable


def weave(across: float, down: float, x: float = 0.2) -> Placing:
    """Place the cards upright and crosswise in turn, on a grid whose cells look square on the table."""

    def placing(number: int) -> Place:
        row, column = divmod(number, 8)
        return x + across * column, down * row, 90 * ((row + column) % 2)

    return placing


foundation, carpet, waste, stock = lay_out(
    Group("foundation", 8, "foundation", joined((4, column(0, 0)), (4, column(14.2, 0)))),
    Group("carpet", 64, "reserve", weave(1.45, 1.04, x=2)),
    Group("waste", 1, "waste", at((0, 6.6))),
    Group("stock", 1, "stock", at((0, 5.5))),
)
(redeals,) = counters(redeals=2)


def _faced(number: int) -> tuple[int, ...] | None:
    """The pile indices that the two narrow ends of a card face; None if one of them faces no pile."""
    row, across = divmod(number, 8)
    upright = (row + across) % 2 == 0
    if (row if upright else across) in (0, 7):
        return None
    reach = 8 if upright else 1
    return carpet.start + number - reach, carpet.start + number + reach


ENDS = {carpet.start + number: _faced(number) for number in range(64)}


def free(position: Position, index: int) -> bool:
    """Whether a narrow end of the card is free; the waste's top card always is."""
    ends = ENDS.get(index)
    return ends is None or not position.piles[ends[0]] or not position.piles[ends[1]]


GAME = Declaration(
    name="The Carpet",
    summary="Sixty-four cards are woven into a carpet, and may leave it only when a narrow end is free.",
    also_known_as=("Teppich", "Crazy Quilt", "Japanese Rug", "Indian Carpet"),
    groups=(foundation, carpet, waste, stock),
    counters=(redeals,),
    pack=pack(2),
    deal=(set_out(foundation, "AS AH AD AC KS KH KD KC"), shuffle(), rows(carpet), rest(stock)),
    routes=(
        Route((carpet, waste), foundation[0:4], onto=in_suit & up, free=free),
        Route((carpet, waste), foundation[4:8], onto=in_suit & down, free=free),
        Route(carpet, waste, onto=in_suit & neighbour, free=free),
    ),
    actions=(deal_to(waste, stock), redeal(waste, stock, redeals, shuffled=True)),
    in_brief={
        "carpet": (
            translatable("A card can move when one of its narrow ends is free."),
            translatable("Nothing is laid here."),
        ),
        "waste": (translatable("Cards of the carpet may come here: build up or down in suit."),),
    },
    score=cards_in(foundation),
    maximum=104,
    won=all_show(foundation, "KKKKAAAA"),
    tall={"carpet": weave(1.22, 0.88), "foundation": FLOWING},
    wide={"carpet": weave(1.22, 0.88), "foundation": FLOWING},
)
