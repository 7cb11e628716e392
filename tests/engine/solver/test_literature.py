"""Our shares beside those that others have published."""

from cadogan import engine
from cadogan.engine.solver.literature import BLAKE_AND_GENT, literature_table
from cadogan.engine.solver.winnability_summary import GameSummary

GOLF = GameSummary("golf", 1, 6, 1_000, 20_000, 440, 540, 5_000, 50, 0, 0.0)


def test_every_published_share_is_of_a_game_here_and_of_their_own_count() -> None:
    for slug, share in BLAKE_AND_GENT.items():
        assert engine.game(slug).slug == slug
        least, most = share.interval
        assert 0 <= least < most <= 1
        assert most - least >= share.undecided / share.deals


def test_intervals_with_a_share_in_common_overlap() -> None:
    (_, _, line) = literature_table([GOLF, GOLF._replace(game="caesar")])
    assert line == "| golf | 1,000 | 20 | 41.0–49.1 % | 45.109 ± 0.032 % | 10,000,000 | 0 | overlap |"


def test_intervals_without_a_share_in_common_are_shown_to_differ() -> None:
    (_, _, line) = literature_table([GOLF._replace(won=200, lost=790)])
    assert line.endswith("| **do not overlap** |")
