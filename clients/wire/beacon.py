"""Randomness from a public beacon: rounds of drand, mixed with the host's secret into the shuffle of a day.

The keys have drand's own names; `docs/record.md` describes how to verify a round.
"""

from typing import Annotated

from msgspec import Meta

from cadogan.wire.values import Digest, Value

PublicKey = Annotated[str, Meta(pattern=r"^[0-9a-f]{192}\Z", description="96 bytes.")]
Signature = Annotated[str, Meta(pattern=r"^[0-9a-f]{96}\Z", description="48 bytes.", examples=["ab" * 48])]
Seconds = Annotated[int, Meta(ge=0, le=2**40, description="Seconds since 1970, UTC.")]
RoundNumber = Annotated[int, Meta(ge=1, le=2**40, description="The number of a round of the beacon, from 1.")]


class BeaconChain(Value, frozen=True, kw_only=True):
    """A chain of drand with the scheme bls-unchained-g1-rfc9380. A hash over all fields identifies the chain.

    Round 1 is signed at `genesis_time`, and then one every `period` seconds. `beacon_id` is the name of the chain on
    its nodes, and `genesis_seed` is drand's group hash.
    """

    beacon_id: Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[!-~]+\Z", examples=["quicknet"])]
    genesis_seed: Digest
    genesis_time: Seconds
    period: Annotated[int, Meta(ge=1, le=86400, description="Seconds.", examples=[3])]
    public_key: PublicKey


class BeaconRound(Value, frozen=True, kw_only=True):
    """A round of a chain, named before it is signed."""

    chain: BeaconChain
    round: RoundNumber


class DailyBeacon(Value, frozen=True, kw_only=True):
    """The beacon round that is mixed with the host's secret into the shuffle of a day, or of an evening.

    The round was announced with the day, and `signature` is set once the cards are fixed. `away` means that the beacon
    did not publish it in time, so that the cards depend on the secret alone.
    """

    chain: BeaconChain
    round: RoundNumber
    signature: Signature | None = None
    away: bool = False


class SignedRound(Value, frozen=True, kw_only=True):
    """A round of a chain and its signature, which determines its randomness."""

    chain: BeaconChain
    round: RoundNumber
    signature: Signature
