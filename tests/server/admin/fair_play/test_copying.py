"""The copy detector: a run that follows another is found, even if it slips now and then; honest runs are not."""

import random
from collections.abc import Container

import pytest

from cadogan import engine
from cadogan.server.subjects.admin.copying import (
    MIN_RUNS,
    Choice,
    PlayedMove,
    Run,
    describe_act,
    find_copies,
    find_paces,
)

CHOICES = ("a", "b", "c", "d")


def walk(
    name: str,
    seed: int,
    moves: int = 60,
    at: int = 0,
    follow: Run | None = None,
    slips: int = 0,
    differs_at: Container[int] = (),
) -> Run:
    """A run that chooses at random; or one that follows another, except in so many places near its end and in these.

    No two ways lead to the same position: whoever has differed once is never again where the other was.
    """
    chance = random.Random(seed)
    path, played = "", []
    for number in range(moves):
        move = chance.choice(CHOICES)
        if follow is not None and number < moves - slips:
            move = follow.moves[number].move
            if number in differs_at:
                move = CHOICES[CHOICES.index(move) - 1]
        at += chance.randrange(500, 9000)
        played.append(PlayedMove(path.encode(), move, len(CHOICES), at))
        path += move
    return Run(f"game-{name}", name, tuple(played))


HONEST = [walk(f"honest{n}", n) for n in range(20)]


def test_a_run_that_follows_another_is_found_with_every_choice_that_it_shares() -> None:
    copier = walk("copier", 99, at=10**9, follow=HONEST[3], slips=5)
    (found,) = find_copies([*HONEST, copier])
    assert (found.run, found.of) == ("game-copier", "game-honest3")
    assert found.agreed == sum(choice.agrees for choice in found.choices) >= 55
    assert [choice.number for choice in found.choices] == list(range(1, len(found.choices) + 1))
    assert found.bits == pytest.approx(sum(choice.bits for choice in found.choices))
    assert found.bits > 3 * found.usual


@pytest.mark.parametrize("differs_at", [(5,), (5, 14, 24, 39)])
def test_a_copy_is_found_though_no_position_is_the_same_after_a_difference(differs_at: tuple[int, ...]) -> None:
    copier = walk("copier", 99, at=10**9, follow=HONEST[3], differs_at=differs_at)
    (found,) = find_copies([*HONEST, copier])
    assert (found.run, found.of) == ("game-copier", "game-honest3")
    assert {choice.number for choice in found.choices if choice.kind == "position"} == set(range(1, 7))
    assert sum(choice.agrees for choice in found.choices if choice.kind == "moves") > 25
    assert found.agreed >= len(found.choices) - len(differs_at) - 1


def test_a_copy_with_moves_of_its_own_in_between_is_found_by_what_was_done_first() -> None:
    def run(name: str, seed: int, acts: list[str]) -> Run:
        moves = [PlayedMove(f"{name}{n}".encode(), act, 9, seed * 10**6 + n * 5000) for n, act in enumerate(acts)]
        return Run(f"game-{name}", name, tuple(moves))

    orders = [random.Random(seed).sample([f"act{n}" for n in range(40)], 40) for seed in range(20)]
    honest = [run(f"honest{seed}", seed, order) for seed, order in enumerate(orders)]
    assert find_copies(honest) == []
    mixed = [act for n, copied in enumerate(orders[3]) for act in ([f"own{n}"] if n % 6 == 5 else []) + [copied]]
    (found,) = find_copies([*honest, run("copier", 99, mixed)])
    assert (found.run, found.of) == ("game-copier", "game-honest3")
    assert [choice.agrees for choice in found.choices if choice.kind == "first"] == [True] * 6
    assert [choice.agrees for choice in found.choices if choice.kind == "moves"].count(False) == 6


def test_an_act_is_the_same_wherever_the_piles_are() -> None:
    game = engine.game("klondike")
    dealt = game.deal(bytes(32))
    onto = [move for move in game.legal_moves(dealt) if move.verb == "/"]
    acts = {describe_act(dealt, game.successor(dealt, move)) for move in game.legal_moves(dealt)}
    assert len(acts) == len(game.legal_moves(dealt))
    first, second = dealt.piles, game.successor(dealt, onto[0]).piles
    swapped = (dealt._replace(piles=first[::-1]), dealt._replace(piles=second[::-1]))
    assert describe_act(*swapped) == describe_act(dealt, dealt._replace(piles=second))
    assert describe_act(dealt, dealt) == b""


def test_no_honest_run_is_found() -> None:
    assert find_copies(HONEST) == []


def test_the_later_run_is_found_and_never_the_earlier_one() -> None:
    copier = walk("copier", 99, at=10**9, follow=HONEST[3])
    for runs in ([copier, *HONEST], [*HONEST, copier]):
        assert [found.run for found in find_copies(runs)] == ["game-copier"]


def test_choices_that_everybody_makes_say_little() -> None:
    opening = walk("first", 1, moves=30)
    same = [
        Run(f"game{n}", f"p{n}", (*opening.moves, *walk("x", n, moves=5, at=10**6 * n).moves)) for n in range(1, 20)
    ]
    assert find_copies(same) == []


def test_a_finding_says_how_many_others_were_in_each_position_and_how_many_of_them_did_the_same() -> None:
    copier = walk("copier", 99, at=10**9, follow=HONEST[3])
    (found,) = find_copies([*HONEST, copier])
    first = found.choices[0]
    moves = [run.moves[0].move for run in HONEST if run is not HONEST[3]]
    wanted = Choice(1, first.move, True, 4, len(moves), moves.count(HONEST[3].moves[0].move), first.bits)
    assert first == wanted
    assert found.choices[-1].others == 0


def test_a_player_does_not_copy_themselves_and_few_runs_are_not_compared() -> None:
    again = Run("again", "honest3", tuple(one._replace(at=one.at + 10**9) for one in HONEST[3].moves))
    assert find_copies([*HONEST, again]) == []
    copier = walk("copier", 99, at=10**9, follow=HONEST[3])
    assert find_copies([*HONEST[: MIN_RUNS - 2], copier]) == []


def test_positions_without_a_choice_count_for_nothing() -> None:
    forced = [
        Run(run.game, run.player, tuple(one._replace(choices=1) for one in run.moves))
        for run in (*HONEST, walk("copier", 99, at=10**9, follow=HONEST[3]))
    ]
    assert find_copies(forced) == []


@pytest.mark.parametrize(
    ("wait", "noise", "kind"), [(120, 100, "fast"), (1500, 40, "even"), (1500, 1400, None), (300, 280, None)]
)
def test_a_run_too_fast_or_too_even_for_a_person_is_found(wait: int, noise: int, kind: str | None) -> None:
    chance, at, moves = random.Random(7), 0, []
    for number in range(80):
        at += wait + chance.randrange(-noise, noise)
        moves.append(PlayedMove(str(number).encode(), "a", 3, at))
    found = find_paces([Run("game", "ann", tuple(moves))])
    assert [one.kind for one in found] == ([kind] if kind else [])


def test_pauses_and_moves_without_a_choice_are_left_out_of_the_pace() -> None:
    moves = [PlayedMove(str(number).encode(), "a", 3, 1000 * number) for number in range(60)]
    with_pauses = [one._replace(at=one.at + 10**6 * (number // 10)) for number, one in enumerate(moves)]
    assert [found.kind for found in find_paces([Run("game", "ann", tuple(with_pauses))])] == ["even"]
    forced = [one._replace(choices=1) for one in moves]
    assert find_paces([Run("game", "ann", tuple(forced))]) == []
    assert find_paces([Run("game", "ann", tuple(moves[:30]))]) == []
