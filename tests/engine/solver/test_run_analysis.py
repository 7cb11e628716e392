"""What follows from the verdicts on a few positions of a run, checked against runs whose every verdict is known."""

from math import ceil, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan import engine
from cadogan.engine import Move
from cadogan.engine.solver import RunAnalysis, Solution, solve
from cadogan.engine.solver.solution import Verdict
from tests.games.walks import seed

MOVES = [Move(word, (), 0, word) for word in ("deal", "redeal", "refill")]


def found(verdict: Verdict, *line: Move) -> Solution:
    return Solution(verdict, line, nodes=1, deepest=1, home=0)


def lines_of(run: RunAnalysis) -> list[tuple[Move, ...]]:
    return [run.line(position) for position in range(len(run.parents))]


def search_all(run: RunAnalysis, truth: list[Verdict]) -> int:
    """Answer every question of the analysis by the truth; return how many it asked."""
    asked = 0
    while (position := run.next_position()) is not None:
        asked += 1
        run.learn(position, found(truth[position]))
    return asked


@st.composite
def runs(draw: st.DrawFn) -> tuple[RunAnalysis, list[Verdict]]:
    """A run with moves taken back, and a verdict for each position: nothing that follows from a lost one is won."""
    played, depth = list[Move | None](), 0
    for item in draw(st.lists(st.sampled_from([*MOVES, None]), max_size=30)):
        if item is not None or depth > 0:
            played.append(item)
            depth += 1 if item else -1
    run = RunAnalysis(played)
    truth: list[Verdict] = []
    for before in run.parents:
        lost = before is not None and truth[before] == "lost"
        truth.append("lost" if lost else draw(st.sampled_from(["won", "lost"])))
    for position in reversed(range(1, len(truth))):
        before = run.parents[position]
        if before is not None and truth[position] == "won":
            truth[before] = "won"
    return run, truth


@given(runs())
def test_every_verdict_is_as_a_search_of_each_position_would_give_it(case: tuple[RunAnalysis, list[Verdict]]) -> None:
    run, truth = case
    assert search_all(run, truth) <= len(truth)
    assert run.verdicts == truth
    assert run.losing_positions() == [
        n for n, before in enumerate(run.parents) if before is not None and (truth[before], truth[n]) == ("won", "lost")
    ]


@given(st.integers(1, 500), st.data())
def test_a_run_without_take_backs_needs_few_searches(moves: int, data: st.DataObject) -> None:
    run = RunAnalysis([MOVES[0]] * moves)
    lost_from = data.draw(st.integers(0, moves + 1))
    truth: list[Verdict] = ["won" if position < lost_from else "lost" for position in range(moves + 1)]
    assert search_all(run, truth) <= ceil(log2(moves + 2))
    assert run.verdicts == truth


def test_positions_that_could_not_be_decided_stay_unknown_until_another_verdict_settles_them() -> None:
    run = RunAnalysis([MOVES[0]] * 4)
    run.learn(2, found("unknown"))
    run.learn(1, found("unknown"))
    assert run.verdicts == [None, "unknown", "unknown", None, None]
    run.learn(4, found("won"))
    assert run.verdicts == ["won"] * 5


def test_a_move_that_was_taken_back_and_played_again_leads_to_one_position() -> None:
    deal, redeal, refill = MOVES
    run = RunAnalysis([deal, redeal, None, redeal, None, None, refill])
    assert run.path == [0, 1, 2, 1, 2, 1, 0, 3]
    assert run.parents == [None, 0, 1, 0]
    with pytest.raises(ValueError, match=r"^there is no move to take back$"):
        RunAnalysis([deal, None, None])


def test_from_every_position_that_is_won_a_line_wins_whether_the_player_followed_it_or_came_to_it_later() -> None:
    game = engine.game("fifteen")
    start = game.deal(seed(0))
    line = solve(game, start, seed(0), 1000).line
    run = RunAnalysis(line[:5])
    run.learn(0, found("won", *line))
    assert run.verdicts == ["won"] * 6
    assert lines_of(run) == [line[n:] for n in range(6)]
    later = RunAnalysis(line[:5])
    later.learn(5, found("won", *line[5:]))
    assert lines_of(later) == lines_of(run)


def test_searches_that_find_nothing_are_spread_along_the_run() -> None:
    run, asked = RunAnalysis([MOVES[0]] * 14), []
    for _ in range(7):
        position = run.next_position()
        assert position is not None
        asked.append(position)
        run.learn(position, found("unknown"))
    assert sorted(asked) == [1, 3, 5, 7, 9, 11, 13]
