"""Casual deals that can be won: the first candidate that a search wins, found in a process of its own."""

import pytest
from msgspec.structs import replace

from cadogan.engine.solver import SOLVER_VERSION
from cadogan.engine.solver.steps import run_steps
from cadogan.server.core.eventlog.events import AnnouncedDeal, DealSearch, Winnable
from cadogan.server.core.fairness.certificates import (
    CertificateBroken,
    check_winnable,
    find_certificate,
    find_winnable,
)
from cadogan.server.core.fairness.winnable_search import WinnableSearch
from tests.harness import game_steps
from tests.harness.game_steps import SECRET

NONCE = "ann's own words"
BUDGET = 30


def test_the_first_candidate_that_is_won_is_that_of_a_certificate() -> None:
    certificate = find_certificate(AnnouncedDeal(1, "", "nestor", NONCE, DealSearch(SOLVER_VERSION, BUDGET)), SECRET)
    assert certificate is not None
    assert run_steps(find_winnable("nestor", NONCE, SECRET, BUDGET)) == certificate.candidate > 0
    assert run_steps(find_winnable("nestor", NONCE, SECRET, 1)) is None


def test_a_deal_is_refused_that_says_another_candidate() -> None:
    first = run_steps(find_winnable("nestor", NONCE, SECRET, BUDGET))
    assert first is not None
    dealt = replace(game_steps.dealt("nestor"), winnable=Winnable(first, SOLVER_VERSION, BUDGET))
    check_winnable(dealt, SECRET)
    for candidate in (first - 1, first + 1):
        with pytest.raises(CertificateBroken, match=f"the search wins candidate {first} first"):
            check_winnable(replace(dealt, winnable=Winnable(candidate, SOLVER_VERSION, BUDGET)), SECRET)


@pytest.mark.slow
async def test_a_process_finds_the_candidate_that_this_one_finds() -> None:
    found = await WinnableSearch().find("caesar", NONCE, SECRET)
    assert found is not None
    assert found.candidate == run_steps(find_winnable("caesar", NONCE, SECRET, found.budget))
