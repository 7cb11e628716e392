"""Which searches and which round of a beacon an evening announces for its cards. Pure, for the offline verifier."""

from cadogan.engine.difficulty.published import is_certified_soon
from cadogan.engine.solver import SOLVER_VERSION
from cadogan.engine.solver.winnability_summary import QUICK_NODES
from cadogan.server.core.eventlog.events import AnnouncedDeal, DealSearch
from cadogan.server.core.fairness.commit_reveal import round_at
from cadogan.server.subjects.evenings.evening_events import Announced, PlannedRound
from cadogan.wire.beacon import BeaconChain, BeaconRound

DRAWN_BEFORE_MILLISECONDS = 10 * 60_000
"""Milliseconds before round 1 at which the round of the beacon is signed, so that the deals can be searched."""
MIN_AHEAD_MILLISECONDS = 30_000
"""Milliseconds from the announcement to the round of the beacon at the least: nobody can know it by then."""


def plan_search(game: str, certified: bool | None) -> DealSearch | None:
    """Return the search by which a deal is to be certified; None if it is not.

    If `certified` is None, deals of those games are in which nearly always one is found soon.
    """
    is_wanted = is_certified_soon(game) if certified is None else certified
    return DealSearch(SOLVER_VERSION, QUICK_NODES) if is_wanted else None


def beacon_round(chain: BeaconChain, announced_at: int, opens_at: int) -> BeaconRound:
    """Return the round of a chain for an evening of which round 1 opens then; both in milliseconds since 1970."""
    return round_at(chain, max(opens_at - DRAWN_BEFORE_MILLISECONDS, announced_at + MIN_AHEAD_MILLISECONDS))


def expected_beacon(announced: Announced) -> BeaconRound | None:
    """Return the beacon round that the rules give for an evening, on the chain that it names; None if it names none."""
    if announced.beacon is None:
        return None
    return beacon_round(announced.beacon.chain, announced.entry_opens_at, announced.rounds[0].opens_at)


def to_search(one: PlannedRound) -> AnnouncedDeal:
    """Return the deal of a round as the search for certificates has it."""
    return AnnouncedDeal(one.round, one.level, one.game, one.deal, one.search)
