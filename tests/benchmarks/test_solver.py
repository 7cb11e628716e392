"""The lines that sum up the benchmark of the solver."""

from benchmarks.solver import Comparison, Speed, measure, ours, peer, summary
from cadogan import engine

DECIDED_BY_BOTH = Comparison(Speed(4, 1_000, 2.0), Speed(2, 1_000, 4.0), Speed(4, 1_000, 0.05))
DECIDED_BY_ONE = Comparison(Speed(3, 9_000, 6.0), Speed(0, 12_000, 2.0))


def test_the_sums_of_all_games_of_those_that_the_peer_decides_and_the_medians_follow() -> None:
    everything, decided, medians = summary([DECIDED_BY_BOTH, DECIDED_BY_ONE])
    assert everything == "| all 2 games | 1,250 | 7 | 0.88 | 2,167 | 2 | 0.33 | 0.58 | 2.6 |  |  |"
    assert decided == "| the 1 where the peer decides | 500 | 4 | 2.00 | 250 | 2 | 0.50 | 2.00 | 4.0 | 20,000 | 40.0 |"
    assert medians == "| median of the ratios | | | | | | | 1.12 | 4.0 |  | 40.0 |"


def test_no_ratio_of_decided_deals_is_shown_where_the_peer_decides_none() -> None:
    everything, medians = summary([DECIDED_BY_ONE])
    assert everything.endswith("| 0.25 |  |  |  |")
    assert medians.endswith("| 0.25 |  |  |  |")


def test_every_search_of_a_round_has_its_own_result() -> None:
    solver, plain = measure(engine.game("fortress"), [ours, peer], deals=1, budget=500)
    assert (solver.decided, plain.decided) == (0, 1)
    assert solver.nodes == 500 > plain.nodes
