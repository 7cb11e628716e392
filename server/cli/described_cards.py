"""Descriptions of the sources of the cards of days, evenings and games: beacons and certificates."""

from collections.abc import Iterable

from cadogan.server.core import dates
from cadogan.server.core.eventlog.events import Certificate
from cadogan.server.core.fairness.commit_reveal import chain_name, signed_at
from cadogan.server.subjects.evenings.evening_state import EveningState
from cadogan.wire.beacon import BeaconRound, SignedRound


def describe_beacon(one: BeaconRound | SignedRound, away: bool = False) -> str:
    """Return a line for people about the beacon round that was announced for the cards of a day."""
    named = f"round {one.round} of the beacon {chain_name(one.chain)}"
    if away:
        return f"cards: from the secret alone; {named} was announced, and the beacon was away"
    return f"cards: from the secret and {named}, due at {dates.second_text(signed_at(one) // 1000)}"


def beacon_as_json(one: BeaconRound | SignedRound | None, away: bool = False) -> dict[str, object] | None:
    """Return the announced beacon round as JSON; None if none was announced."""
    return None if one is None else {"chain": chain_name(one.chain), "round": one.round, "away": away}


def describe_evening(state: EveningState) -> list[str]:
    """Return lines for people about the certified deals of an evening, and the beacon round of its cards."""
    promised = state.plan.beacon
    beacon = [] if promised is None else [describe_beacon(promised, away=state.signed is None)]
    return [*describe_certificates(state.certificates.values()), *beacon]


def describe_certificates(certificates: Iterable[Certificate]) -> list[str]:
    """Return a line for people for each certified deal."""
    return [
        f"{one.deal}: candidate {one.candidate} can be won, its line has {len(one.line)} moves" for one in certificates
    ]
