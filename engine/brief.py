"""The rules of a game in a few sentences, made from its declaration, for somebody who plays it for the first time.

What the declaration says in data becomes a sentence: how foundations and columns are built, what begins them, what goes
on an empty place, and how the stock is dealt. What it says in functions of its own is left to the page of rules.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from engine.cards import ANY, EVERY, RANKS, members, rank
from engine.declaration import Declaration, Group, Route
from engine.game import Game
from engine.move_generation import pile_indices
from engine.relations import Relation, alternating, down, down_around, in_suit, neighbour, up, up_around
from engine.translatable_text import TranslatableText, translatable

TABLEAU_ROLES = ("tableau", "reserve")
BEGINNINGS = {"A": translatable("Begin with an ace."), "K": translatable("Begin with a king.")}
ONLY_ON_EMPTY = {
    "A": translatable("Only an ace goes on an empty place."),
    "K": translatable("Only a king goes on an empty place."),
}
"""By the letter of a rank; of the others no game has need."""


class BriefLine(NamedTuple):
    """What is to be known about some groups of piles, by their names; without a group it is about the whole table."""

    groups: tuple[str, ...]
    sentences: tuple[TranslatableText, ...]


def brief_rules(game: Game) -> tuple[BriefLine, ...]:
    """Return the rules in brief: the foundations first, then the other piles, then the stock.

    >>> from engine import game
    >>> for (group,), sentences in brief_rules(game("klondike")):
    ...     print(f"{group}: {' '.join(map(str, sentences))}")
    foundation: Begin with an ace. Build up in suit.
    tableau: Build down in alternating colours. Only a king goes on an empty place. Several cards may move together.
    stock: Tap it to deal. There is no redeal.
    """
    declaration = game.declaration
    groups = [group for group in declaration.groups if group.role == "foundation"]
    groups += [group for group in declaration.groups if group.role in TABLEAU_ROLES]
    lines: list[BriefLine] = []
    for group in groups:
        sentences = tuple(_about(group, declaration))
        if lines and lines[-1].sentences == sentences:
            lines[-1] = BriefLine((*lines[-1].groups, group.name), sentences)
        else:
            lines.append(BriefLine((group.name,), sentences))
    lines.append(BriefLine((), tuple(_about_table(declaration))))
    stock = [group.name for group in declaration.groups if group.role == "stock"]
    lines.append(BriefLine(tuple(stock), tuple(_about_stock(declaration)) if stock else ()))
    return tuple(line for line in lines if line.sentences)


def _about(group: Group, declaration: Declaration) -> Iterator[TranslatableText]:
    routes = [route for route in declaration.routes if set(pile_indices(route.target)) & set(group)]
    begins = 0
    for route in routes:
        begins |= 0 if route.when else _on_empty(route, group)
    if group.role == "foundation" and (begin := BEGINNINGS.get(_only_rank(begins))):
        yield begin
    rules: dict[str, TranslatableText] = {}
    piles: dict[str, set[int]] = {}
    for route in routes:
        if route.onto and (rule := _words_of(route.onto)):
            rules[rule.text] = rule
            piles.setdefault(rule.text, set()).update(set(pile_indices(route.target)) & set(group))
    for text, rule in rules.items():
        is_for_some = any(piles[text] != other for other in piles.values())
        yield translatable("{number} piles: {rule}", number=len(piles[text]), rule=rule) if is_for_some else rule
    if group.role == "foundation":
        return
    if begins & EVERY == EVERY:
        yield translatable("Any card goes on an empty place.")
    elif only := ONLY_ON_EMPTY.get(_only_rank(begins)):
        yield only
    if any(route.cards for route in routes):
        yield translatable("Several cards may move together.")


def _about_table(declaration: Declaration) -> Iterator[TranslatableText]:
    verbs = {special.verb for special in declaration.specials}
    if "+" in verbs:
        yield translatable("Tap the cards that you take off together, one after the other.")
    if "~" in verbs:
        yield translatable("Two cards may change places: tap one, then the other.")


def _about_stock(declaration: Declaration) -> Iterator[TranslatableText]:
    verbs = {action.verb for action in declaration.actions}
    if "deal" in verbs:
        yield translatable("Tap it to deal.")
    if "redeal" in verbs:
        redeals = next((counter.start for counter in declaration.counters if counter.name == "redeals"), None)
        if redeals is None:
            yield translatable("When it is empty, it can be dealt again.")
        else:
            yield translatable("When it is empty, it can be dealt again. Redeals: {number}.", number=redeals)
    elif "deal" in verbs and any(group.role == "waste" for group in declaration.groups):
        yield translatable("There is no redeal.")


def _on_empty(route: Route, group: Group) -> int:
    """The cards with which this route begins the empty piles of a group."""
    if not callable(route.empty):
        return route.empty
    cards = 0
    for index in set(pile_indices(route.target)) & set(group):
        cards |= route.empty(index - group.start)
    return cards


def _only_rank(cards: int) -> str:
    """The letter of the rank, if this set holds cards of one rank and nothing else."""
    ranks = {rank(card) for card in members(cards)}
    return RANKS[ranks.pop() - 1] if len(ranks) == 1 and cards != ANY else ""


@cache
def _known_relations() -> list[tuple[tuple[int, ...], TranslatableText]]:
    any_suit = Relation(lambda card, top: True)
    return [
        ((up & in_suit).table, translatable("Build up in suit.")),
        ((up & alternating).table, translatable("Build up in alternating colours.")),
        (up.table, translatable("Build up in any suit.")),
        ((down & in_suit).table, translatable("Build down in suit.")),
        ((down & alternating).table, translatable("Build down in alternating colours.")),
        (down.table, translatable("Build down in any suit.")),
        ((neighbour & in_suit).table, translatable("Build up or down in suit.")),
        ((neighbour & alternating).table, translatable("Build up or down in alternating colours.")),
        (neighbour.table, translatable("Build up or down in any suit.")),
        ((up_around & in_suit).table, translatable("Build up in suit; the ace follows the king.")),
        (up_around.table, translatable("Build up in any suit; the ace follows the king.")),
        ((down_around & in_suit).table, translatable("Build down in suit; the king follows the ace.")),
        (
            (down_around & alternating).table,
            translatable("Build down in alternating colours; the king follows the ace."),
        ),
        (down_around.table, translatable("Build down in any suit; the king follows the ace.")),
        ((any_suit & in_suit).table, translatable("Any card of the same suit fits.")),
        ((any_suit & alternating).table, translatable("Any card of the other colour fits.")),
    ]


def _words_of(relation: Relation) -> TranslatableText | None:
    """What a relation is in words; None for one that no sentence says.

    A relation that ends at a rank, as foundations that end at the jack, is said like one that goes on.
    """
    table = relation.table
    for known, words in _known_relations():
        kept = {rank(top) for top in range(4, 56) if table[top]}
        ended = {rank(top) for top in range(4, 56) if known[top] and not table[top]}
        if len(ended) <= 1 and kept and all(table[top] in (known[top], 0) for top in range(4, 56)):
            return words
    return None
