"""Points at the edges of the formula; `docs/boards.md` has its examples."""

from cadogan.server.core.games.position import run_points


def test_a_game_that_was_dealt_a_point_below_its_highest_score_still_gives_all_points() -> None:
    assert run_points(52, 51, 52, won=True) == 1250


def test_a_game_that_was_dealt_with_its_highest_score_gives_the_bonus_alone() -> None:
    assert run_points(52, 52, 52, won=True) == 250
