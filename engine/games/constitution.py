"""The Constitution: cards rise from the People through Commons and Lords to the Council, which feeds the Government."""

from cadogan.engine.cards import EVERY, pack
from cadogan.engine.declaration import Declaration, Group, Interchangeable, Route, lay_out
from cadogan.engine.layout import at, row
from cadogan.engine.parts import all_hold, cards_in, deal_to, refill, rest, rows, set_out, shuffle
from cadogan.engine.relations import alternating, down, following, in_suit
from cadogan.engine.translatable_text import translatable

stock, waste, foundation, council, lords, commons, people, sovereign, bishops, judges, discard = lay_out(
    Group("stock", 1, "stock", at((0, 2.4))),
    Group("waste", 1, "waste", at((0, 3.6))),
    Group("foundation", 8, "foundation", row(2.2, 1.2)),
    Group("council", 8, "tableau", row(2.2, 2.4)),
    Group("lords", 8, "tableau", row(2.2, 3.6)),
    Group("commons", 8, "tableau", row(2.2, 4.8)),
    Group("people", 8, "tableau", row(2.2, 6)),
    Group("sovereign", 1, "discard", at((6.05, 0))),
    Group("bishops", 4, "discard", row(1.65, 0)),
    Group("judges", 4, "discard", row(7.15, 0)),
    Group("discard", 1, "discard", at((0, 6))),
)
RANKS_OF_STATE = ("foundation", "council", "lords", "commons", "people")
RISES = ((lords, council), (commons, lords), (people, commons))

GAME = Declaration(
    name="The Constitution",
    summary="Cards rise from the People through Commons and Lords to the Privy Council, which builds the Government.",
    also_known_as=("British Constitution",),
    groups=(stock, waste, foundation, council, lords, commons, people, sovereign, bishops, judges, discard),
    pack=pack(2),
    deal=(
        set_out(foundation, "AS AS AH AH AD AD AC AC"),
        set_out(bishops, "KS KS KC KC"),
        set_out(judges, "KH KH KD KD"),
        set_out(sovereign, "QD"),
        set_out(discard, "QS QS QH QH QD QC QC"),
        shuffle(),
        rows((*people, *commons, *lords, *council)),
        rest(stock),
    ),
    routes=(
        *(Route(lower, upper, empty=EVERY, forced=True) for lower, upper in RISES),
        *(Route(lower, upper, onto=alternating & down) for lower, upper in RISES),
        Route(council, foundation, onto=in_suit & following("A23456789TJ")),
    ),
    actions=(deal_to(waste, stock),),
    automatic=(refill(people, waste, stock, only_emptied=True),),
    interchangeable=(
        Interchangeable(foundation),
        Interchangeable(council),
        Interchangeable(lords),
        Interchangeable(commons),
        Interchangeable(people),
        Interchangeable(bishops),
        Interchangeable(judges),
    ),
    in_brief={
        "foundation": (translatable("Cards come here from these piles only: {pile}.", pile="council"),),
        "people": (translatable("An empty place is filled by itself."),),
        "": (translatable("Cards go up one division at a time: people, commons, lords, council."),),
    },
    score=cards_in(foundation),
    maximum=88,
    won=all_hold(foundation, 11),
    tall={name: row(0, 1.08 * number, 1.08) for number, name in enumerate(RANKS_OF_STATE)},
    wide={name: row(0, 1.08 * number, 1.08) for number, name in enumerate(RANKS_OF_STATE[1:])},
)
