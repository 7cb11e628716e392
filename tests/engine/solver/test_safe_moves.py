"""A safe move never loses: where the solver plays a card home at once, a full search finds no less after it."""

from itertools import product

import pytest

from cadogan import engine
from cadogan.engine import Game, State
from cadogan.engine.cards import EVERY, pack, suit
from cadogan.engine.declaration import Declaration, Group, Route, SafeHome, lay_out
from cadogan.engine.layout import row
from cadogan.engine.move_generation import pile_indices
from cadogan.engine.parts import all_hold, base, cards_in, deal_to, rest, rows, shuffle
from cadogan.engine.relations import Relation, alternating, down, in_suit, up
from cadogan.engine.solver.safe_moves import SafeMoves
from tests.games.walks import seed

DECLARED = [slug for slug in engine.slugs() if engine.game(slug).declaration.safe_home]
DEALS = 25
MOST_POSITIONS = 3000
RELATIONS = {"down": down, "down in suit": in_suit & down, "down, alternating": alternating & down}


def small_game(onto: Relation, copies: int, empty: int, keep: int) -> Game:
    """A game of spades and hearts with three piles, so small that all of it can be searched."""
    cards = tuple(card for card in pack(copies, "A234" if copies == 1 else "A23") if suit(card) < 2)
    highest = len(cards) // copies // 2
    foundation, tableau, waste, stock = lay_out(
        Group("foundation", 2 * copies, "foundation", row(0, 0)),
        Group("tableau", 3, "tableau", row(0, 1)),
        Group("waste", 1, "waste", row(0, 2)),
        Group("stock", 1, "stock", row(1, 2)),
    )
    declaration = Declaration(
        name="Small",
        summary="A small game.",
        groups=(foundation, tableau, waste, stock),
        pack=cards,
        deal=(shuffle(), rows(tableau, 2), rest(stock)),
        routes=(
            Route((tableau, waste), foundation, onto=in_suit & up, empty=base("A", "SH")),
            Route((tableau, waste), tableau, onto=onto),
            *([Route(tableau, tableau, empty=empty, keep=keep), Route(waste, tableau, empty=empty)] if empty else []),
        ),
        actions=(deal_to(waste, stock),),
        safe_home=SafeHome(),
        score=cards_in(foundation),
        maximum=len(cards),
        won=all_hold(foundation, highest),
    )
    return Game("small", declaration)


def successors(game: Game, start: State, salt: bytes) -> dict[State, list[State]] | None:
    """Every position that can be reached, and those that follow from it; None if there are many."""
    found: dict[State, list[State]] = {}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if state not in found:
            found[state] = [game.play_legal(state, move, salt).state for move in game.legal_moves(state)]
            waiting += found[state]
        if len(found) > MOST_POSITIONS:
            return None
    return found


def winnable(game: Game, follows: dict[State, list[State]]) -> set[State]:
    """The positions from which one that is won can be reached."""
    before: dict[State, list[State]] = {}
    for state, after in follows.items():
        for each in after:
            before.setdefault(each, []).append(state)
    found = {state for state in follows if game.won(state)}
    waiting = list(found)
    while waiting:
        for state in before.get(waiting.pop(), ()):
            if state not in found:
                found.add(state)
                waiting.append(state)
    return found


@pytest.mark.heavy
@pytest.mark.parametrize("onto", RELATIONS.values(), ids=list(RELATIONS))
@pytest.mark.parametrize("copies", [1, 2])
def test_what_can_be_won_can_be_won_after_a_safe_move_too(onto: Relation, copies: int) -> None:
    safe_wins, traps = 0, 0
    for (empty, keep), number in product([(0, 0), (EVERY, 0), (EVERY, 1)], range(DEALS)):
        game, salt = small_game(onto, copies, empty, keep), seed(number)
        safe_moves = SafeMoves(game.declaration)
        follows = successors(game, game.deal(salt), salt)
        if follows is None:
            continue
        good = winnable(game, follows)
        for state, after in follows.items():
            safe = safe_moves.find(state, game.legal_moves(state))
            if safe is not None:
                assert (game.play_legal(state, safe, salt).state in good) == (state in good), game.write_piles(state)
                safe_wins += state in good
            traps += state in good and any(each not in good for each in after)
    assert safe_wins > 50
    assert traps > 20


@pytest.mark.parametrize("slug", DECLARED)
def test_a_game_that_declares_safe_moves_is_of_the_kind_for_which_they_are_proved(slug: str) -> None:
    declaration = engine.game(slug).declaration
    foundations = {index for group in declaration.groups if group.role == "foundation" for index in group}
    assert not declaration.specials
    assert not declaration.automatic
    assert declaration.lost is None
    assert {action.verb for action in declaration.actions} <= {"deal", "redeal"}
    for route in declaration.routes:
        assert not foundations & set(pile_indices(route.source))
        assert foundations.isdisjoint(pile_indices(route.target)) or foundations == set(pile_indices(route.target))
        conditions = (route.takes, route.room, route.when, route.free, route.between, route.cards, route.play)
        assert not any(conditions)
        assert not route.forced
    at_deal = engine.game(slug).deal(seed(0))
    if "redeal" in {action.verb for action in declaration.actions}:
        assert declaration.safe_home is not None
        assert declaration.safe_home.when is not None
        assert not declaration.safe_home.when(at_deal)
