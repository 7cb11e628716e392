"""Parts that several games share, by name: deal steps, automatic effects, actions, guards, sets and scores.

What three games need belongs here; what one game needs stays in its file.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import cycle

from engine.cards import BIT, DOWN, FACE, RANKS, SUITS, card, of_rank, of_suit
from engine.declaration import PACK, Action, Counter, Group, Guard, Step
from engine.effects import KEPT, REVERSED
from engine.state import Pile, Position
from engine.table import Table
from engine.translatable_text import say

# --- the deal, from the pack in hand -----------------------------------------------------------------------------


def shuffle(label: str = "deal") -> Step:
    """Shuffle the pack in hand."""

    def step(table: Table) -> None:
        table.shuffle((PACK,), (len(table.piles[PACK]),), label)

    return step


def set_out(group: Iterable[int], words: str) -> Step:
    """Take these cards out of the pack in hand and lay them on the group's piles, one each, round and round."""
    wanted = tuple(card(word) for word in words.split())

    def step(table: Table) -> None:
        in_hand = list(table.piles[PACK])
        for index, number in zip(cycle(group), wanted, strict=False):
            in_hand.remove(number | DOWN)
            table.piles[index] += (number,)
        table.piles[PACK] = tuple(in_hand)

    return step


def rows(group: Iterable[int], count: int = 1) -> Step:
    """Deal so many rows: one card to each pile in turn."""

    def step(table: Table) -> None:
        for _ in range(count):
            for index in group:
                table.move(PACK, index)

    return step


def packets(group: Iterable[int], sizes: int | Sequence[int]) -> Step:
    """Deal packet by packet: so many cards to the first pile, then to the next, one by one."""

    def step(table: Table) -> None:
        for number, index in enumerate(group):
            for _ in range(sizes if isinstance(sizes, int) else sizes[number]):
                table.move(PACK, index)

    return step


def rest(stock: Group) -> Step:
    """The cards left in hand become the stock, in their order."""

    def step(table: Table) -> None:
        if table.piles[PACK]:
            table.move(PACK, stock.start, len(table.piles[PACK]))

    return step


def next_but_bases(table: Table, source: int, target: int, group: Group, bases: Callable[[int], int]) -> None:
    """Turn the source's top card for a place; a base card goes to its empty foundation and the next one is turned.

    So on until a card stays on `target` or the source is out. ``bases(n)`` is what the empty pile n of the group takes.
    """
    while table.piles[source]:
        bit = BIT[table.piles[source][-1] & FACE]
        homes = [index for index in group.vacancies(table) if bases(index - group.start) & bit]
        table.move(source, homes[0] if homes else target)
        if not homes:
            return


# --- guards ------------------------------------------------------------------------------------------------------


def is_empty(*groups: Group) -> Guard:
    """None of these groups holds a card."""
    names = ", ".join(group.name for group in groups)
    indices = [index for group in groups for index in group]
    return Guard(
        lambda position: not any([position.piles[index] for index in indices]),
        say("cards are left in {piles}", piles=names),
    )


def holds_cards(*groups: Group) -> Guard:
    """One of these groups holds a card."""
    names = ", ".join(group.name for group in groups)
    indices = [index for group in groups for index in group]
    return Guard(
        lambda position: any([position.piles[index] for index in indices]),
        say("no card is left in {piles}", piles=names),
    )


def left(counter: Counter) -> Guard:
    """The counter is above 0."""
    return Guard(lambda position: position.counters[counter.index] > 0, f"no {counter.name} are left")


# --- actions of the stock ------------------------------------------------------------------------------------------


def deal_to(waste: Group, stock: Group) -> Action:
    """``deal``: turn the stock's top card face up on the waste."""
    return Action("deal", holds_cards(stock), lambda table: table.move(stock.start, waste.start))


def deal_row(group: Iterable[int], stock: Group) -> Step:
    """One card of the stock to each pile in turn, as far as it reaches."""

    def step(table: Table) -> None:
        for index in group:
            if table.piles[stock.start]:
                table.move(stock.start, index)

    return step


def redeal(
    waste: Group, stock: Group, times: Counter | None = None, shuffled: bool = False, rounds: Counter | None = None
) -> Action:
    """``redeal``: when the stock is out, the waste is turned over, or shuffled, and becomes the stock.

    Turned over, its bottom card is drawn first. `times` counts the redeals left down, `rounds` the rounds up.
    """
    allowed = is_empty(stock) & holds_cards(waste)

    def step(table: Table) -> None:
        count = len(table.piles[waste.start])
        if shuffled:
            turn = times.of(table) if times else 0
            table.shuffle((waste.start, stock.start), (0, count), f"redeal.{turn}")
        else:
            table.redeal((waste.start, stock.start), (0, count), REVERSED)
        if times:
            times.add(table, -1)
        if rounds:
            rounds.add(table, 1)

    return Action("redeal", allowed & left(times) if times else allowed, step)


def take_up(piles: Iterable[int], stock: Group) -> Step:
    """The piles are taken up, each on the one before, and turned over: the bottom card of the first is drawn first."""

    def step(table: Table) -> None:
        gathered = (*piles, stock.start)
        count = sum(len(table.piles[index]) for index in gathered)
        table.redeal(gathered, [0] * (len(gathered) - 1) + [count], REVERSED)

    return step


# --- automatic effects ---------------------------------------------------------------------------------------------


def turn_up(group: Iterable[int]) -> Step:
    """A face-down card that a move leaves on top is turned face up."""

    def step(table: Table) -> None:
        for index in group:
            pile = table.piles[index]
            if pile and pile[-1] & DOWN:
                table.turn(index)

    return step


def emptied(table: Table, group: Iterable[int]) -> list[int]:
    """The piles of the group that this move has emptied, lowest first."""
    return [index for index in group if not table.piles[index] and table.before[index]]


def refill(group: Iterable[int], *sources: Group, only_emptied: bool = False) -> Step:
    """Each empty pile, lowest first, receives the top card of the first source that has one.

    `only_emptied` leaves alone the piles that were empty before the move.
    """

    def step(table: Table) -> None:
        for index in group:
            if table.piles[index] or (only_emptied and not table.before[index]):
                continue
            for source in sources:
                if table.piles[source.start]:
                    table.move(source.start, index)
                    break

    return step


# --- sets of cards -------------------------------------------------------------------------------------------------


def base(rank_letter: str, suits: str = SUITS) -> Callable[[int], int]:
    """What an empty pile n takes: the card of this rank whose suit is the n-th of `suits`, round and round."""
    sets = tuple(of_rank(rank_letter) & of_suit(SUITS.index(letter)) for letter in suits)
    return lambda number: sets[number % len(sets)]


# --- scores and ends -----------------------------------------------------------------------------------------------


def cards_in(*groups: Group, less: int = 0) -> Callable[[Position], int]:
    """The number of cards in these groups."""
    indices = [index for group in groups for index in group]
    return lambda position: sum([len(position.piles[index]) for index in indices]) - less


def all_hold(group: Group, count: int) -> Callable[[Position], bool]:
    """Every pile of the group holds so many cards."""
    return lambda position: all(len(pile) == count for pile in group.of(position))


def all_show(group: Group, ranks: str) -> Callable[[Position], bool]:
    """Every pile n of the group has on top a card of the n-th of these ranks, round and round."""
    wanted = [RANKS.index(ranks[number % len(ranks)]) + 1 for number in range(group.count)]
    return lambda position: all(
        pile and pile[-1] >> 2 == rank for pile, rank in zip(group.of(position), wanted, strict=True)
    )


def face_up(pile: Pile) -> int:
    """How many cards lie face up on top of a pile."""
    count = 0
    for number in reversed(pile):
        if number & DOWN:
            break
        count += 1
    return count


def in_pairs(group: Group, fits: Callable[[int, int], bool]) -> Callable[[Position], list[tuple[int, int]]]:
    """Every two piles of a group, the lower first, whose top cards fit each other."""

    def offer(position: Position) -> list[tuple[int, int]]:
        filled = group.filled(position)
        piles = position.piles
        return [
            (first, second)
            for at, first in enumerate(filled)
            for second in filled[at + 1 :]
            if fits(piles[first][-1], piles[second][-1])
        ]

    return offer


__all__ = [
    "DOWN",
    "FACE",
    "KEPT",
    "RANKS",
    "all_hold",
    "all_show",
    "base",
    "cards_in",
    "deal_row",
    "deal_to",
    "emptied",
    "face_up",
    "holds_cards",
    "in_pairs",
    "is_empty",
    "left",
    "next_but_bases",
    "packets",
    "redeal",
    "refill",
    "rest",
    "rows",
    "set_out",
    "shuffle",
    "take_up",
    "turn_up",
]
