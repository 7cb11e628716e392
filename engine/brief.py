"""The rules of a game in a few sentences, generated from its declaration, for a first-time player.

Declarative data becomes sentences: how foundations and columns are built, what begins them, what goes on an empty
place, and how the stock is dealt. Rules in functions of the game are described in its field `in_brief`.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from cadogan.engine.cards import EVERY, only_rank, rank
from cadogan.engine.declaration import Declaration, Group, Route
from cadogan.engine.game import Game
from cadogan.engine.illegal_reasons import ONLY_ON_EMPTY
from cadogan.engine.move_generation import pile_indices
from cadogan.engine.relations import Relation, alternating, down, down_around, in_suit, neighbour, up, up_around
from cadogan.engine.translatable_text import TranslatableText, translatable

TABLEAU_ROLES = ("tableau", "reserve")
BEGINNINGS = {"A": translatable("Begin with an ace."), "K": translatable("Begin with a king.")}
"""By the letter of a rank; no game needs the other ranks."""


class BriefLine(NamedTuple):
    """Rules about groups of piles, given by name; without a group they are about the whole table."""

    groups: tuple[str, ...]
    sentences: tuple[TranslatableText, ...]


def brief_rules(game: Game) -> tuple[BriefLine, ...]:
    """Return the rules in brief: the foundations first, then the other piles, then the stock.

    >>> from cadogan.engine import game
    >>> for (group,), sentences in brief_rules(game("klondike"))[::2]:
    ...     print(f"{group}: {' '.join(map(str, sentences))}")
    foundation: Begin with an ace. Build up in suit.
    stock: Tap it to deal. There is no redeal.
    """
    declaration = game.declaration
    groups = [group for group in declaration.groups if group.role == "foundation"]
    groups += [group for group in declaration.groups if group.role in TABLEAU_ROLES]
    groups += [group for group in declaration.groups if group.role == "waste"]
    own = declaration.in_brief
    lines: list[BriefLine] = []
    for group in groups:
        sentences = tuple(_about(group, declaration))
        if lines and lines[-1].sentences == sentences:
            lines[-1] = BriefLine((*lines[-1].groups, group.name), sentences)
        else:
            lines.append(BriefLine((group.name,), sentences))
    lines.append(BriefLine((), (*own.get("", ()), *_about_table(declaration))))
    for stock in (group.name for group in declaration.groups if group.role == "stock"):
        lines.append(BriefLine((stock,), (*_about_stock(declaration), *own.get(stock, ()))))
    return tuple(line for line in lines if line.sentences)


def _about(group: Group, declaration: Declaration) -> Iterator[TranslatableText]:
    own = declaration.in_brief.get(group.name, ())
    if group.role == "waste":
        yield from own
        return
    routes = [route for route in declaration.routes if set(pile_indices(route.target)) & set(group)]
    begins = 0
    for route in routes:
        begins |= 0 if route.when else _on_empty(route, group)
    if group.role == "foundation" and (begin := BEGINNINGS.get(only_rank(begins))):
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
    yield from own
    if group.role == "foundation":
        return
    if begins & EVERY == EVERY:
        yield from _about_empty_places(group, routes, declaration)
    elif only := ONLY_ON_EMPTY.get(only_rank(begins)):
        yield only
    elif rules and group.role == "tableau" and not any(route.empty or route.takes for route in routes):
        yield translatable("You cannot lay a card on an empty place.")


def _about_empty_places(group: Group, routes: list[Route], declaration: Declaration) -> Iterator[TranslatableText]:
    """Which cards go on empty places, where any card of some piles does."""
    filling = [route for route in routes if _on_empty(route, group)]
    pack = {index for each in declaration.groups if each.role in ("stock", "waste") for index in each}
    sources = {index for route in filling for index in pile_indices(route.source) if not route.when or index in pack}
    if set(group) <= sources and all(set(pile_indices(route.source)) <= sources for route in routes):
        yield translatable("Any card goes on an empty place.")
        return
    match [each.name for each in declaration.groups if set(each) & sources]:
        case [only]:
            yield translatable("An empty place is filled from: {pile}.", pile=only)
        case [one, other]:
            yield translatable("An empty place is filled from: {pile}, {pile2}.", pile=one, pile2=other)


def _about_table(declaration: Declaration) -> Iterator[TranslatableText]:
    verbs = {special.verb for special in declaration.specials}
    if "+" in verbs:
        yield translatable("Tap the cards that you take off together, one after the other.")
    if "~" in verbs:
        yield translatable("Two cards may change places: tap one, then the other.")
    if "deal" not in {action.verb for action in declaration.actions} and (number := _redeals(declaration)):
        yield translatable("The cards may be taken up and dealt again. Redeals: {number}.", number=number)


def _about_stock(declaration: Declaration) -> Iterator[TranslatableText]:
    verbs = {action.verb for action in declaration.actions}
    if "deal" not in verbs:
        return
    yield translatable("Tap it to deal.")
    if "redeal" in verbs:
        redeals = _redeals(declaration)
        if redeals is None:
            yield translatable("When it is empty, it can be dealt again.")
        else:
            yield translatable("When it is empty, it can be dealt again. Redeals: {number}.", number=redeals)
    elif any(group.role == "waste" for group in declaration.groups):
        yield translatable("There is no redeal.")


def _redeals(declaration: Declaration) -> int | None:
    """The number of redeals, if the game counts them."""
    return next((counter.start for counter in declaration.counters if counter.name == "redeals"), None)


def _on_empty(route: Route, group: Group) -> int:
    """The cards with which this route begins the empty piles of a group."""
    if not callable(route.empty):
        return route.empty
    cards = 0
    for index in set(pile_indices(route.target)) & set(group):
        cards |= route.empty(index - group.start)
    return cards


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
    """The sentence for a relation; None if there is none.

    A relation that ends at a rank, like foundations that end at the jack, has the same sentence as an unlimited one.
    """
    table = relation.table
    for known, words in _known_relations():
        kept = {rank(top) for top in range(4, 56) if table[top]}
        ended = {rank(top) for top in range(4, 56) if known[top] and not table[top]}
        if len(ended) <= 2 and kept and all(table[top] in (known[top], 0) for top in range(4, 56)):
            return words
    return None
