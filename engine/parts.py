"""Parts that several games share: steps of the deal, guards, actions, automatic effects, sets of cards, scores.

What three games need belongs here. What one game needs stays in its file.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import cycle

from cadogan.engine.cards import BIT, DOWN, FACE, RANKS, SUITS, of_rank, of_suit, parse_card
from cadogan.engine.declaration import PACK, Action, Counter, Group, Guard, Step
from cadogan.engine.effects import KEPT, REVERSED
from cadogan.engine.relations import Relation
from cadogan.engine.state import Pile, Position, pick
from cadogan.engine.table import Table
from cadogan.engine.translatable_text import translatable

# --- steps of the deal, from the pack in hand --------------------------------------------------------------------


def shuffle(label: str = "deal") -> Step:
    """Shuffle the pack in hand."""

    def step(table: Table) -> None:
        table.shuffle((PACK,), (len(table.piles[PACK]),), label)

    return step


def set_out(group: Iterable[int], words: str) -> Step:
    """Take these cards out of the pack in hand and lay them on the piles in turn, one on each, again from the first."""
    wanted = tuple(parse_card(word) for word in words.split())

    def step(table: Table) -> None:
        in_hand = list(table.piles[PACK])
        for index, number in zip(cycle(group), wanted, strict=False):
            in_hand.remove(number | DOWN)
            table.piles[index] += (number,)
        table.piles[PACK] = tuple(in_hand)

    return step


def rows(group: Iterable[int], count: int = 1) -> Step:
    """Deal `count` rows: one card to each pile in turn."""

    def step(table: Table) -> None:
        for _ in range(count):
            for index in group:
                table.move(PACK, index)

    return step


def packets(group: Iterable[int], sizes: int | Sequence[int]) -> Step:
    """Deal pile by pile: `sizes` cards (or ``sizes[n]``, for pile n) to the first pile, then to the next."""

    def step(table: Table) -> None:
        for number, index in enumerate(group):
            for _ in range(sizes if isinstance(sizes, int) else sizes[number]):
                table.move(PACK, index)

    return step


def rest(stock: Group) -> Step:
    """Make the cards left in hand the stock, in their order."""

    def step(table: Table) -> None:
        if table.piles[PACK]:
            table.move(PACK, stock.start, len(table.piles[PACK]))

    return step


def turn_until_placed(table: Table, source: int, target: int, group: Group, bases: Callable[[int], int]) -> None:
    """Turn the top card of `source` and put it on `target`, unless it is a base card.

    A base card goes to its empty foundation, and the next card is turned, until a card stays on `target` or the source
    is empty. `group` holds the foundations, and ``bases(n)`` is the set of cards that its empty pile n takes.
    """
    while table.piles[source]:
        bit = BIT[table.piles[source][-1] & FACE]
        homes = [index for index in group.vacancies(table) if bases(index - group.start) & bit]
        table.move(source, homes[0] if homes else target)
        if not homes:
            return


# --- guards ------------------------------------------------------------------------------------------------------


def is_empty(*groups: Group) -> Guard:
    """Holds while none of these groups has a card."""
    names = ", ".join(group.name for group in groups)
    indices = [index for group in groups for index in group]
    return Guard(
        lambda position: not any([position.piles[index] for index in indices]),
        translatable("cards are left in {piles}", piles=names),
    )


def holds_cards(*groups: Group) -> Guard:
    """Holds while one of these groups has a card."""
    names = ", ".join(group.name for group in groups)
    indices = [index for group in groups for index in group]
    return Guard(
        lambda position: any([position.piles[index] for index in indices]),
        translatable("no card is left in {piles}", piles=names),
    )


def any_left(counter: Counter) -> Guard:
    """Holds while the counter is above 0."""
    return Guard(lambda position: position.counters[counter.index] > 0, f"no {counter.name} are left")


# --- actions of the stock ------------------------------------------------------------------------------------------


def none_left(counter: Counter) -> Guard:
    """Holds while the counter is 0."""
    return Guard(lambda position: not position.counters[counter.index], f"{counter.name} are left")


def deal_to(waste: Group, stock: Group) -> Action:
    """The action ``deal``: turn the top card of the stock face up on the waste."""
    return Action("deal", holds_cards(stock), lambda table: table.move(stock.start, waste.start))


def deal_row(group: Iterable[int], stock: Group) -> Step:
    """Deal one card of the stock to each pile in turn, until the stock is empty."""

    def step(table: Table) -> None:
        for index in group:
            if table.piles[stock.start]:
                table.move(stock.start, index)

    return step


def redeal(
    waste: Group, stock: Group, times: Counter | None = None, shuffled: bool = False, rounds: Counter | None = None
) -> Action:
    """The action ``redeal``: when the stock is empty, the waste is turned over and becomes the stock.

    The bottom card of the waste is then drawn first; if `shuffled`, the cards are shuffled instead. The counter
    `times` holds the number of redeals left and goes down, the counter `rounds` holds that of rounds and goes up.
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

    return Action("redeal", allowed & any_left(times) if times else allowed, step)


def take_up(piles: Iterable[int], stock: Group) -> Step:
    """Stack the piles, each on the previous one, and turn them over: the first pile's bottom card is drawn first."""

    def step(table: Table) -> None:
        gathered = (*piles, stock.start)
        count = sum(len(table.piles[index]) for index in gathered)
        table.redeal(gathered, [0] * (len(gathered) - 1) + [count], REVERSED)

    return step


# --- automatic effects ---------------------------------------------------------------------------------------------


def turn_up(group: Iterable[int]) -> Step:
    """Turn a face-down card that a move leaves on top face up."""

    def step(table: Table) -> None:
        for index in group:
            pile = table.piles[index]
            if pile and pile[-1] & DOWN:
                table.turn(index)

    return step


def emptied(table: Table, group: Iterable[int]) -> list[int]:
    """The piles of the group that this move has emptied, lowest first."""
    piles, before = table.piles, table.before
    return [index for index in group if not piles[index] and before[index]]


def refill(group: Iterable[int], *sources: Group, only_emptied: bool = False) -> Step:
    """Fill each empty pile, lowest first, with the top card of the first source that has one.

    If `only_emptied`, piles that were empty before the move stay empty.
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
    """By pile n, when it is empty: the card of this rank in the n-th of `suits`, again from the first."""
    sets = tuple(of_rank(rank_letter) & of_suit(SUITS.index(letter)) for letter in suits)
    return lambda number: sets[number % len(sets)]


# --- scores and ends -----------------------------------------------------------------------------------------------


def cards_in(*groups: Group, less: int = 0) -> Callable[[Position], int]:
    """The number of cards in these groups, less `less`."""
    piles = pick([index for group in groups for index in group])
    return lambda position: sum(map(len, piles(position.piles))) - less


def all_hold(group: Group, count: int) -> Callable[[Position], bool]:
    """Whether every pile of the group holds `count` cards."""
    full = {count}
    return lambda position: set(map(len, group.of(position))) == full


def all_show(group: Group, ranks: str) -> Callable[[Position], bool]:
    """Whether every pile n of the group shows a card of the n-th of these ranks, again from the first."""
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


def in_sequence(relation: Relation) -> Callable[[Pile], int]:
    """By pile: how many cards on top lie face up, each on one that it fits by this relation."""
    onto = relation.table

    def count_cards(pile: Pile) -> int:
        count = 0
        for above, card in zip((0, *reversed(pile)), reversed(pile), strict=False):
            if card & DOWN or (count and not onto[card] & BIT[above]):
                break
            count += 1
        return count

    return count_cards


__all__ = [
    "DOWN",
    "FACE",
    "KEPT",
    "RANKS",
    "all_hold",
    "all_show",
    "any_left",
    "base",
    "cards_in",
    "deal_row",
    "deal_to",
    "emptied",
    "face_up",
    "holds_cards",
    "in_sequence",
    "is_empty",
    "packets",
    "redeal",
    "refill",
    "rest",
    "rows",
    "set_out",
    "shuffle",
    "take_up",
    "turn_until_placed",
    "turn_up",
]
