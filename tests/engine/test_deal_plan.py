"""The deal as data deals, step by step, the same cards as the rules."""

from collections.abc import Iterable
from hashlib import sha256

from cadogan import engine
from cadogan.engine import Game, State
from cadogan.engine.cards import DOWN, FACE, parse_card
from cadogan.engine.deal_plan import HAND, plan_deal
from cadogan.engine.effects import parse_effect
from cadogan.engine.shuffle import shuffle
from cadogan.engine.table import Table

SEEDS = [sha256(bytes([number])).digest() for number in range(20)]


def carried_out(game: Game, seed: bytes) -> Table:
    """The table when every step of the game's plan has been carried out; the pack in hand is its last pile."""
    plan = plan_deal(game)
    names = [*game.piles, HAND]
    places = {name: index for index, name in enumerate(names)}
    counters = {name: index for index, name in enumerate(game.counters)}
    in_hand = tuple(parse_card(word) | DOWN for word in plan.pack)
    start = State(((),) * len(game.piles) + (in_hand,), tuple(plan.counters.values()))
    table = Table(start, [name in plan.down or name == HAND for name in names])
    carry_out(table, plan.steps, places, counters, seed)
    return table


def carry_out(
    table: Table, steps: Iterable[str], places: dict[str, int], counters: dict[str, int], seed: bytes
) -> None:
    """Carries out the steps of a plan on a table whose last pile is the pack in hand."""
    for step in steps:
        match step.split(" "):
            case ["set", pile, word]:
                left = list(table.piles[-1])
                left.remove(parse_card(word) | DOWN)
                table.piles[-1] = tuple(left)
                table.piles[places[pile]] += (parse_card(word),)
            case ["shuffled", "hand", label]:
                table.piles[-1] = tuple(shuffle(table.piles[-1], seed, label))
            case _:
                table.apply(parse_effect(step, places, counters))


def deals_the_same(game: Game, seed: bytes) -> bool:
    """Whether the plan of a game deals as its rules do, or the same cards if it ends early."""
    table, state = carried_out(game, seed), game.deal(seed)
    if plan_deal(game).whole:
        return table.state() == State((*state.piles, ()), state.counters)
    dealt, cards = [sorted(number & FACE for pile in piles for number in pile) for piles in (table.piles, state.piles)]
    return dealt == cards


def test_a_whole_plan_deals_the_same_as_the_rules() -> None:
    games = engine.all_games()
    assert [slug for slug, game in games.items() if not all(deals_the_same(game, seed) for seed in SEEDS)] == []


def test_a_plan_ends_where_the_deal_depends_on_the_faces_of_the_cards() -> None:
    stopped = {slug for slug, game in engine.all_games().items() if not plan_deal(game).whole}
    assert {"nestor", "maze", "great-thirteen"} <= stopped
    assert not {"klondike", "quatorze", "carpet", "la-belle-lucie"} & stopped
    assert plan_deal(engine.game("nestor")).steps == ("shuffled hand deal",)


def test_a_plan_names_the_cards_that_are_set_out_and_the_piles_that_lie_face_down() -> None:
    plan = plan_deal(engine.game("sultan"))
    assert plan.steps[0] == "set foundation.0 KS"
    assert "set sultan KH" in plan.steps
    assert plan_deal(engine.game("la-nivernaise")).down[:3] == ("stock", "line.0", "line.1")
