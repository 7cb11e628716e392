"""Results of numbered deals: their seeds, their lines of JSON, how they are checked, and their table."""

import json

import pytest

from cadogan import engine
from cadogan.engine.errors import WrongResult
from cadogan.engine.solver.winnability import (
    DealResult,
    check_result,
    deal_seed,
    decide_deal,
    read_result,
    write_result,
)
from cadogan.engine.solver.winnability_summary import QUICK_NODES, summarize, wilson_interval, winnability_table

CAESAR = engine.game("caesar")
WON = decide_deal(CAESAR, 0, 1000)
UNKNOWN = decide_deal(CAESAR, 1, 1)


def test_the_seed_of_a_deal_stays_the_same_for_ever() -> None:
    assert deal_seed("klondike", 0).hex() == "4a01608d51baf2a585290389827261ca604ac0fa516962f307d6a9de6f374e38"


def test_each_deal_of_each_game_has_a_seed_of_its_own() -> None:
    seeds = {deal_seed(slug, number) for slug in engine.slugs() for number in range(200)}
    assert len(seeds) == 200 * len(engine.slugs())


@pytest.mark.parametrize("result", [WON, UNKNOWN], ids=lambda result: result.verdict)
def test_a_result_is_read_as_it_was_written_and_is_true(result: DealResult) -> None:
    assert read_result(write_result(result)) == result
    check_result(CAESAR, result)


def test_a_decided_deal_has_the_same_verdict_and_moves_with_any_greater_budget() -> None:
    for slug in ("caesar", "fortress", "la-belle-lucie"):
        game = engine.game(slug)
        found = decide_deal(game, 0, 2000)
        assert found.verdict != "unknown"
        for budget in (found.nodes, 2 * found.nodes + 1, 4000):
            assert decide_deal(game, 0, budget) == found._replace(budget=budget)
        assert decide_deal(game, 0, found.nodes - 1).verdict == "unknown"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "no JSON"),
        ("[]", "no object with game, deal"),
        ("{}", "no object with game, deal"),
        (write_result(WON).replace('"deal":0', '"deal":true'), "deal is True"),
        (write_result(WON).replace('"deal":0', '"deal":-1'), "deal is -1"),
        (write_result(WON).replace('"caesar"', "7"), "game is 7"),
        (write_result(WON).replace('"won"', '"lucky"'), "the verdict is 'lucky'"),
        (write_result(WON).replace('"won"', "[]"), "the verdict is []"),
        (json.dumps({**WON._asdict(), "moves": "deal"}), "moves has to be a list"),
        (json.dumps({**WON._asdict(), "moves": [1]}), "moves has to be a list"),
    ],
)
def test_a_line_that_is_no_result_is_refused_with_its_reason(line: str, reason: str) -> None:
    with pytest.raises(WrongResult) as refused:
        read_result(line)
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        (WON._replace(rules=9), "version 9 of the rules"),
        (WON._replace(deal=1), "the seed of this deal is"),
        (WON._replace(budget=WON.nodes - 1), "more than the budget"),
        (WON._replace(moves=WON.moves[:-1]), "not won after its 3 moves"),
        (WON._replace(moves=("cell.0~cell.0", *WON.moves)), "move 1: "),
        (WON._replace(moves=(*WON.moves, "cell.99~cell.0")), "move 5: "),
        (UNKNOWN._replace(moves=WON.moves), "it has moves"),
    ],
)
def test_a_result_that_is_not_true_is_refused_with_its_reason(result: DealResult, reason: str) -> None:
    with pytest.raises(WrongResult) as refused:
        check_result(CAESAR, result)
    assert reason in str(refused.value)


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [(0, 20, 0.0, 0.1611), (10, 20, 0.2993, 0.7007), (20, 20, 0.8389, 1.0), (81, 263, 0.2553, 0.3662)],
)
def test_the_interval_is_that_of_wilson(count: int, total: int, low: float, high: float) -> None:
    assert wilson_interval(count, total) == pytest.approx((low, high), abs=5e-5)


LOST = WON._replace(deal=2, verdict="lost", moves=(), nodes=7)


def test_the_table_counts_the_verdicts_and_bounds_what_can_be_won() -> None:
    again = WON._replace(deal=3)
    summaries = summarize([LOST._replace(game="fortress"), WON, again, LOST, UNKNOWN])
    first, second, caesar, fortress = winnability_table(summaries)
    assert first.count("|") == second.count("|") == caesar.count("|")
    assert caesar == "| caesar | 4 | 1 | 2 (15–85 %) | 1 (5–70 %) | 1 (5–70 %) | 15–95 % | 5 |  |  | 4 |"
    assert fortress == "| fortress | 1 | 1,000 | 0 (0–79 %) | 1 (21–100 %) | 0 (0–79 %) | 0–79 % | 7 |  |  |  |"


def test_the_table_says_how_long_the_median_deal_takes_once_the_speed_is_known() -> None:
    (summary,) = summarize([LOST._replace(nodes=9000)])
    assert summary.seconds is None
    (*_, line) = winnability_table([summary._replace(nodes_per_second=4500)])
    assert line.endswith("| 9,000 | 4,500 | 2 |  |")


def test_a_summary_counts_the_last_result_of_each_deal() -> None:
    (summary,) = summarize([UNKNOWN, WON, LOST._replace(deal=UNKNOWN.deal), WON])
    assert (summary.deals, summary.won, summary.lost, summary.unknown) == (2, 1, 1, 0)
    assert summary.budget == WON.budget


def test_a_win_counts_as_quicker_the_fewer_nodes_it_took() -> None:
    deals = [WON._replace(deal=deal, nodes=nodes) for deal, nodes in enumerate((1, 100, QUICK_NODES, QUICK_NODES + 1))]
    (summary,) = summarize([*deals, LOST._replace(deal=9)])
    assert (summary.won, summary.quick_wins) == (4, 3)
    assert summary.quickness == pytest.approx((1 + 0.5 + 0) / 5, abs=1e-4)


@pytest.mark.parametrize("other", [WON._replace(deal=1, solver=99), WON._replace(deal=1, rules=99)])
def test_results_of_a_game_by_several_versions_make_no_summary(other: DealResult) -> None:
    with pytest.raises(WrongResult, match="make no one table"):
        summarize([WON, other])


def test_each_game_may_have_been_searched_by_a_version_of_its_own() -> None:
    caesar, fortress = summarize([WON, WON._replace(game="fortress", solver=99)])
    assert (caesar.solver, fortress.solver) == (WON.solver, 99)
