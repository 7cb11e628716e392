"""Certificates: the first candidate that the search wins, and a line that both the rules and the seal hold to."""

from collections.abc import Callable

import pytest
from msgspec import structs

from cadogan.engine import Game, State
from cadogan.engine.solver import SOLVER_VERSION, SOLVER_VERSIONS, Solution, solve
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.revisions import DatabaseDamaged
from cadogan.server.core.database.tables import certificates
from cadogan.server.core.eventlog.events import AnnouncedDeal, Certificate, DealSearch, LineMove
from cadogan.server.core.fairness.certificates import (
    CertificateBroken,
    can_be_searched,
    certificate_seal,
    check_certificate,
    check_earlier_candidates,
    find_certificate,
    search_certified,
)
from cadogan.server.core.fairness.commit_reveal import MAX_CANDIDATES
from cadogan.server.core.fairness.sealed_deals import StoredCertificates
from tests.harness.game_steps import DAY, SECRET

DEAL = AnnouncedDeal(1, "easy", "nestor", f"{DAY}.1", DealSearch(SOLVER_VERSION, 30))


def found() -> Certificate:
    certificate = find_certificate(DEAL, SECRET)
    assert certificate is not None
    assert certificate.candidate > 0
    return certificate


def test_a_certificate_has_a_line_that_wins_and_follows_from_the_secret_and_the_budget_alone() -> None:
    certificate = found()
    check_certificate(DEAL, SECRET, certificate)
    check_earlier_candidates(DEAL, SECRET, certificate)
    assert certificate == found()
    assert certificate.nodes <= 30
    more = find_certificate(structs.replace(DEAL, search=DealSearch(SOLVER_VERSION, 500)), SECRET)
    assert more is not None
    assert more.candidate < certificate.candidate


def test_where_the_search_wins_no_candidate_there_is_no_certificate() -> None:
    hopeless = structs.replace(DEAL, search=DealSearch(SOLVER_VERSION, 1))
    assert find_certificate(hopeless, SECRET) is None
    check_earlier_candidates(hopeless, SECRET, None)
    with pytest.raises(CertificateBroken, match=r"the search wins no candidate first, and candidate \d+ was certified"):
        check_earlier_candidates(hopeless, SECRET, found())


def test_only_a_version_of_the_solver_that_was_announced_searches_for_a_deal() -> None:
    assert all(can_be_searched(structs.replace(DEAL, search=DealSearch(one, 60))) for one in SOLVER_VERSIONS)
    assert not can_be_searched(structs.replace(DEAL, search=None))
    assert not can_be_searched(structs.replace(DEAL, search=DealSearch(SOLVER_VERSION + 1, 60)))


def test_a_budget_that_no_server_gives_is_not_searched_and_the_answer_says_so() -> None:
    endless = structs.replace(DEAL, search=DealSearch(SOLVER_VERSION, 2**53 - 1))
    assert not can_be_searched(endless)
    said = (endless.deal, "not searched again: it was announced with more than 10000000 nodes", False)
    assert search_certified(endless, SECRET, found()) == said


def test_a_deal_is_searched_by_the_version_of_the_solver_that_was_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = set[int]()

    def search(game: Game, state: State, seed: bytes, nodes: int, version: int) -> Solution:
        asked.add(version)
        return solve(game, state, seed, nodes, version=version)

    monkeypatch.setattr("cadogan.server.core.fairness.certificates.solve", search)
    found = {find_certificate(structs.replace(DEAL, search=DealSearch(one, 30)), SECRET) for one in SOLVER_VERSIONS}
    assert asked == set(SOLVER_VERSIONS)
    assert len(found) == 1


def another_effect(one: Certificate) -> Certificate:
    first, *others = one.line
    return structs.replace(one, line=(LineMove(first.move, (*first.effects, "counted redeals 1")), *others))


def another_move(one: Certificate) -> Certificate:
    first, *others = one.line
    return structs.replace(one, line=(structs.replace(first, move="foundation.0/foundation.1"), *others))


FORGERIES: dict[str, Callable[[Certificate], Certificate]] = {
    "the game is not won after the": lambda one: structs.replace(one, line=one.line[:-1]),
    r"the game is won before move \d": lambda one: structs.replace(one, line=(*one.line, one.line[-1])),
    "move 1 of the line has other effects": another_effect,
    "move 1 of the line: ": another_move,
    r"move \d of the line|the game is not won": lambda one: structs.replace(one, candidate=0),
    "there is no candidate 50": lambda one: structs.replace(one, candidate=MAX_CANDIDATES),
    "there is no candidate -1": lambda one: structs.replace(one, candidate=-1),
    "was found by version 99 of the rules": lambda one: structs.replace(one, rules_version=99),
}


@pytest.mark.parametrize("why", FORGERIES)
def test_a_forged_certificate_is_refused_and_its_seal_does_not_fit(why: str) -> None:
    certificate = found()
    forged = FORGERIES[why](certificate)
    with pytest.raises(CertificateBroken, match=why):
        check_certificate(DEAL, SECRET, forged)
    assert certificate_seal(SECRET, forged) != certificate_seal(SECRET, certificate)


def test_an_earlier_candidate_that_can_be_won_and_another_number_of_nodes_are_noticed_by_searching_again() -> None:
    certificate = found()
    with pytest.raises(CertificateBroken, match="and no candidate was certified"):
        check_earlier_candidates(DEAL, SECRET, None)
    with pytest.raises(CertificateBroken, match="another line, or the same in another number of nodes"):
        check_earlier_candidates(DEAL, SECRET, structs.replace(certificate, nodes=certificate.nodes + 1))
    later = structs.replace(certificate, candidate=certificate.candidate + 1)
    with pytest.raises(CertificateBroken, match=f"wins candidate {certificate.candidate} first"):
        check_earlier_candidates(DEAL, SECRET, later)


async def test_what_is_stored_of_a_deal_first_holds(database: Database) -> None:
    stored, certificate = StoredCertificates(database), found()
    assert await stored.get([]) == {}
    assert await stored.get([DEAL.deal]) == {}
    await stored.add(DEAL.deal, certificate, 1)
    await stored.add(DEAL.deal, None, 2)
    await stored.add(f"{DAY}.2", None, 1)
    assert await stored.get([DEAL.deal, f"{DAY}.2", f"{DAY}.3"]) == {DEAL.deal: certificate, f"{DAY}.2": None}


async def test_a_certificate_that_cannot_be_read_is_damage(database: Database) -> None:
    async with database.writing() as connection:
        await connection.execute(certificates.insert().values(deal=DEAL.deal, certificate="{", created_at=1))
    with pytest.raises(DatabaseDamaged, match=rf"the certificate of {DAY}\.1 cannot be read"):
        await StoredCertificates(database).get([DEAL.deal])
