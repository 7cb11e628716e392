"""How easy a game is follows from measured numbers by one formula, and its level from that."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadogan import engine
from cadogan.engine.difficulty.levels import LEVELS, compare_with_games, deal_ease, divide_into_levels, ease
from cadogan.engine.difficulty.levels_table import levels_table
from cadogan.engine.difficulty.measure import SimplePlay
from cadogan.engine.difficulty.published import (
    CANDIDATES,
    CERTIFICATE_SECONDS,
    eases,
    is_certified_soon,
    level_of,
    level_of_deal,
    simple_play,
    winnability,
)
from cadogan.engine.solver.winnability_summary import QUICK_NODES, GameSummary, win_quickness
from cadogan.server.core.fairness.commit_reveal import MAX_CANDIDATES

PLAY = SimplePlay("caesar", 1, 4, 50, careless=5, greedy=10, score=0.5, first_moves=40, first_moves_won=10)
SEARCH = GameSummary("caesar", 1, 4, 20, 10_000, 12, 0, 50, 30, quick_wins=8, quickness=0.25)


def test_ease_is_the_mean_of_the_six_measured_shares() -> None:
    assert ease(PLAY, SEARCH) == pytest.approx((0.1 + 0.2 + 0.5 + 0.4 + 0.25 + 0.25) / 6)


def test_a_game_that_is_always_won_at_once_has_ease_1_and_one_that_never_is_has_0() -> None:
    always = PLAY._replace(careless=50, greedy=50, score=1.0, first_moves_won=40)
    never = PLAY._replace(careless=0, greedy=0, score=0.0, first_moves_won=0)
    assert ease(always, SEARCH._replace(quick_wins=20, quickness=1.0)) == 1
    assert ease(never, SEARCH._replace(quick_wins=0, quickness=0.0)) == 0


@given(st.dictionaries(st.text("abcdef", min_size=1), st.floats(0, 1), min_size=3))
def test_the_levels_have_equally_many_games_and_no_easier_game_a_harder_level(measured: dict[str, float]) -> None:
    levels = divide_into_levels(measured)
    sizes = Counter(levels.values())
    assert max(sizes.values()) - min(sizes[level] for level in LEVELS) <= 1
    for game, level in levels.items():
        for other, other_level in levels.items():
            if measured[game] > measured[other]:
                assert LEVELS.index(level) <= LEVELS.index(other_level)


def test_the_ease_of_a_deal_has_its_own_win_and_the_other_shares_of_its_game() -> None:
    assert deal_ease(PLAY, SEARCH, 100) == pytest.approx((0.1 + 0.2 + 0.5 + 1 + 0.5 + 0.25) / 6)
    assert deal_ease(PLAY, SEARCH, QUICK_NODES + 1) == pytest.approx((0.1 + 0.2 + 0.5 + 0 + 0 + 0.25) / 6)


@given(st.lists(st.integers(0, 2 * QUICK_NODES), min_size=1))
def test_the_ease_of_a_game_is_the_mean_of_its_deals(nodes: list[int]) -> None:
    quick = [win_quickness(one) for one in nodes if one <= QUICK_NODES]
    whole = SEARCH._replace(deals=len(nodes), quick_wins=len(quick), quickness=sum(quick) / len(nodes))
    mean = sum(deal_ease(PLAY, SEARCH, one) for one in nodes) / len(nodes)
    assert ease(PLAY, whole) == pytest.approx(mean)


@given(st.dictionaries(st.text("abcdef", min_size=1), st.floats(0, 1), min_size=3), st.floats(0, 1))
def test_a_deal_has_the_easiest_level_with_a_game_that_is_no_easier(measured: dict[str, float], deal: float) -> None:
    levels, level = divide_into_levels(measured), compare_with_games(deal, measured)
    no_easier = {levels[game] for game, easy in measured.items() if easy <= deal}
    assert level in (no_easier or {LEVELS[-1]})
    assert not no_easier & set(LEVELS[: LEVELS.index(level)])


def test_no_deal_is_harder_than_one_that_needs_more_nodes() -> None:
    for slug in eases():
        levels = [level_of_deal(slug, nodes) for nodes in (1, 100, 1_000, QUICK_NODES, QUICK_NODES + 1)]
        places = [LEVELS.index(level) for level in levels if level is not None]
        assert places == sorted(places), slug
        assert len(places) == len(levels), slug


def test_the_games_of_the_book_were_measured_and_their_numbers_fit_each_other() -> None:
    assert set(simple_play()) == set(winnability()) == set(eases()) <= set(engine.slugs())
    assert len(eases()) >= 55
    for play in simple_play().values():
        assert 0 <= play.first_moves_won <= play.first_moves
        assert play.first_moves > 0
        assert max(play.careless, play.greedy) <= play.deals
        assert 0 <= play.score <= 1
    for search in winnability().values():
        assert search.quick_wins <= search.won
        assert (search.moves is None) == (search.won == 0)
        assert search.nodes_per_second > 0


def test_a_game_that_nobody_has_measured_is_steady_and_may_be_certified() -> None:
    assert level_of("orchard-walk") == "steady"
    assert is_certified_soon("orchard-walk")


def test_a_certificate_is_sought_in_as_many_deals_as_find_one_on_nine_of_ten_days() -> None:
    for wins, candidates in ((40, 1), (36, 1), (35, 2), (20, 4), (2, 45), (0, None)):
        searched = SEARCH._replace(deals=40, quick_wins=wins, nodes_per_second=20_000)
        assert searched.candidates == candidates
        assert searched.certificate_seconds == (None if candidates is None else candidates / 2)
        assert candidates is None or (1 - wins / 40) ** candidates <= 0.1 + 1e-9 < (1 - wins / 40) ** (candidates - 1)
    assert SEARCH._replace(nodes_per_second=0).certificate_seconds is None


def test_a_game_that_is_certified_by_default_needs_no_more_candidates_than_there_are() -> None:
    asked = [one for one in winnability().values() if is_certified_soon(one.game)]
    assert len(asked) > len(winnability()) / 2
    assert max(one.candidates or 0 for one in asked) <= CANDIDATES == MAX_CANDIDATES
    assert all((one.certificate_seconds or 0) <= CERTIFICATE_SECONDS for one in asked)
    assert not any(is_certified_soon(one.game) for one in winnability().values() if one.quick_wins == 0)


def test_the_table_has_the_easiest_game_first_and_leaves_out_what_was_not_measured() -> None:
    harder = PLAY._replace(game="sly", greedy=0)
    unsearched = PLAY._replace(game="maze")
    _, _, first, second = levels_table([harder, PLAY, unsearched], [SEARCH, SEARCH._replace(game="sly")])
    assert first == "| caesar | 10 | 20 | 50 | 40 | 25 | 10 of 40 | 28.3 | gentle |"
    assert second.startswith("| sly | 10 | 0 |")
