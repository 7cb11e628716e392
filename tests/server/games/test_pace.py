"""The pace of a run: how far it was when, and no card."""

from itertools import pairwise

from cadogan.server.core.games.game_record import PacePoint, PaceRecorder
from cadogan.server.core.games.game_state import Step
from tests.harness.game_steps import at_random, begin, play, resign, won


def points_of(steps: list[Step]) -> list[PacePoint]:
    recorder = PaceRecorder()
    return [point for step in steps for point in recorder.add(step)]


def test_the_pace_begins_with_the_deal_and_ends_with_the_end() -> None:
    steps = won()
    end = steps[-1].after
    points = points_of(steps)
    assert points[0] == (0, 0, end.rules.score(steps[0].after.position.state))
    assert end.finished is not None
    assert points[-1] == (end.finished.milliseconds, end.rules.home(end.position.state), end.finished.score)


def test_the_pace_has_a_point_wherever_cards_home_or_score_changed_and_no_other() -> None:
    steps = at_random("klondike", 3, 200)
    points = points_of(steps)
    piles_at = {step.after.changed_at - step.after.dealt_at: step.after.position for step in steps}
    for milliseconds, home, score in points[:-1]:
        assert (home, score) == (steps[0].after.rules.home(piles_at[milliseconds].state), piles_at[milliseconds].score)
    changed = [point[1:] for point in points[:-1]]
    assert all(one != next for one, next in pairwise(changed))
    assert [point[0] for point in points] == sorted(point[0] for point in points)


def test_a_run_that_got_nowhere_has_two_points() -> None:
    steps = begin("klondike")
    steps += play(steps[-1].after, "deal")
    steps += resign(steps[-1].after)
    first = steps[0].after.position.score
    assert points_of(steps) == [(0, 0, first), (2000, 0, first)]
