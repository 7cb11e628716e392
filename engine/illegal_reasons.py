"""Why a move is illegal, in a few words for the player who tried it.

The reason is derived from the same routes and guards that decide what is legal. It never names a face-down card.
"""

from collections.abc import Sequence
from operator import itemgetter

from cadogan.engine.cards import ANY, BIT, DOWN, card_text, only_rank
from cadogan.engine.declaration import Declaration, Route
from cadogan.engine.move_generation import pile_indices
from cadogan.engine.moves import TRANSFER, Move
from cadogan.engine.state import State
from cadogan.engine.translatable_text import TranslatableText, as_translatable, translatable

JOINS = frozenset("+~")
"""The notations of moves that play the top cards of several piles together."""
CLOSED_ROLES = frozenset({"stock", "discard", "foundation"})
"""The roles of piles whose cards are never played together with others."""
ONLY_ON_EMPTY = {
    "A": translatable("Only an ace goes on an empty place."),
    "K": translatable("Only a king goes on an empty place."),
}
"""By the letter of a rank; no game needs the other ranks."""
MOST_MOVES_NAMED = 3
"""Maximum number of forced moves that a reason names."""


def explain_illegal_move(
    declaration: Declaration,
    names: Sequence[str],
    state: State,
    move: Move,
    legal: Sequence[Move],
    forced: Sequence[Move],
) -> TranslatableText:
    """Return one sentence that explains why a move is illegal in this position.

    `names` are the names of the piles by index. `legal` are the legal moves of the position, and `forced` those that
    forced routes and specials offer. `move` must not be legal.
    """
    if forced:
        shown = ", ".join(str(each) for each in forced[:MOST_MOVES_NAMED])
        if len(forced) > MOST_MOVES_NAMED:
            return translatable("{move} must wait: first play one of {moves} …", move=str(move), moves=shown)
        return translatable("{move} must wait: first play one of {moves}", move=str(move), moves=shown)
    for action in declaration.actions:
        if action.verb == move.verb:
            return translatable("no {verb} now: {why}", verb=move.verb, why=as_translatable(action.when.otherwise))
    if move.verb == TRANSFER:
        return _explain_transfer(declaration, names, state, move)
    if move.verb in JOINS and (reason := _explain_joint(declaration, state, move.piles)):
        return reason
    if not legal:
        return translatable("{move} is not allowed: no move is left", move=str(move))
    return translatable("{move} is not allowed by the rules here", move=str(move))


def _explain_transfer(declaration: Declaration, names: Sequence[str], state: State, move: Move) -> TranslatableText:
    source, target = move.piles
    start, end = names[source], names[target]
    if not state.piles[source]:
        return translatable("{pile} is empty", pile=start)
    routes = [r for r in declaration.routes if source in pile_indices(r.source) and target in pile_indices(r.target)]
    if not routes:
        if reason := _explain_joint(declaration, state, move.piles):
            return reason
        return translatable("no card goes from {pile} to {pile2} in this game", pile=start, pile2=end)
    reasons = [_explain_route(declaration, names, state, move, route) for route in routes]
    return max(reasons, key=itemgetter(0))[1]


def _explain_joint(declaration: Declaration, state: State, piles: Sequence[int]) -> TranslatableText | None:
    """Return why the top cards of these piles are not played together; None if the game plays none together there.

    What may be played together is what a newcomer is told about the whole table.
    """
    tops = [state.piles[pile][-1] for pile in piles if state.piles[pile]]
    roles = {group.role for group in declaration.groups for pile in piles if pile in group}
    is_joining = any(special.verb in JOINS for special in declaration.specials)
    told = declaration.in_brief.get("", ())
    if not (is_joining and told) or len(tops) != len(piles) or roles & CLOSED_ROLES:
        return None
    if len(tops) == 2:
        card, card2 = map(_name_card, tops)
        return translatable("{card} does not go with {card2}: {why}", card=card, card2=card2, why=told[0])
    return translatable("these cards do not go together: {why}", why=told[0])


def _explain_route(
    declaration: Declaration, names: Sequence[str], state: State, move: Move, route: Route
) -> tuple[int, TranslatableText]:
    """Return how many conditions of the route the move meets, in test order, and the message of the next one."""
    source, target = move.piles
    start, end = names[source], names[target]
    pile, other = state.piles[source], state.piles[target]
    count = move.cards
    if route.up_to is not None:
        if route.up_to(pile) < count <= len(pile):
            return 0, translatable("{count} cards of {pile} are not one sequence", pile=start, count=count)
    elif count != (wanted := 1 if route.cards is None else route.cards(pile)):
        return 0, _explain_count(start, end, wanted, count)
    if count > len(pile) == 1:
        return 0, translatable("{pile} has only one card", pile=start)
    if count > len(pile):
        return 0, translatable("{pile} has only {count} cards", pile=start, count=len(pile))
    if route.when is not None and not route.when(state):
        return 1, translatable(
            "{pile} may not go to {pile2} now: {why}", pile=start, pile2=end, why=as_translatable(route.when.otherwise)
        )
    fitting = _fitting_cards(declaration, state, route, target)
    lowest = pile[-count]
    name = _name_card(lowest)
    if not BIT[lowest] & fitting & ANY:
        if not other:
            wanted_rank = only_rank(fitting)
            why = ONLY_ON_EMPTY.get(wanted_rank) if only_rank(BIT[lowest]) != wanted_rank else None
            if why is not None:
                return 2, translatable("{card} may not go to the empty {pile}: {why}", card=name, pile=end, why=why)
            return 2, translatable("{card} may not go to the empty {pile}", card=name, pile=end)
        return 3, translatable(
            "{card} does not go on {card2} in {pile}", card=name, card2=_name_card(other[-1]), pile=end
        )
    if route.room is not None and len(other) >= route.room:
        return 4, translatable("{pile} is full", pile=end)
    if route.between is not None and not route.between(_number(declaration, source), _number(declaration, target)):
        return 5, translatable("{pile} does not lead to {pile2}", pile=start, pile2=end)
    if route.free is not None and not route.free(state, source):
        return 6, translatable("{card} in {pile} is not free", card=name, pile=start)
    if len(pile) - count < route.keep:
        return 7, translatable("{pile} must keep a card", pile=start)
    if route.most is not None and count > (most := route.most(state, target)):
        return 8, translatable("at most {count} cards may go to {pile} at once now", count=most, pile=end)
    return 9, translatable("{move} is not allowed by the rules here", move=str(move))


def _name_card(card: int) -> str | TranslatableText:
    return translatable("that card") if card & DOWN else card_text(card)


def _explain_count(start: str, end: str, count: int, asked: int) -> TranslatableText:
    if count == 1:
        return translatable("from {pile} one card goes to {pile2}, not {asked}", pile=start, pile2=end, asked=asked)
    words = "from {pile} all {count} face-up cards go together to {pile2}, not {asked}"
    return translatable(words, pile=start, pile2=end, count=count, asked=asked)


def _fitting_cards(declaration: Declaration, state: State, route: Route, target: int) -> int:
    """The set of the cards that the target takes by this route."""
    if route.takes is not None:
        return route.takes(state, target)
    pile = state.piles[target]
    if pile:
        return route.onto.table[pile[-1]] if route.onto else 0
    return route.empty(_number(declaration, target)) if callable(route.empty) else route.empty


def _number(declaration: Declaration, index: int) -> int:
    """The number of a pile in its group."""
    return next(index - group.start for group in declaration.groups if group.start <= index < group.stop)
