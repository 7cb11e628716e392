"""Randomness from a public beacon: rounds of drand, from which the cards of a day follow beside the host's secret.

The names of the keys are drand's own; `docs/record.md` says how a round is checked.
"""

from typing import Annotated

from msgspec import Meta

from cadogan.wire.values import Digest, Value

PublicKey = Annotated[str, Meta(pattern=r"^[0-9a-f]{192}\Z", description="96 bytes.")]
Signature = Annotated[str, Meta(pattern=r"^[0-9a-f]{96}\Z", description="48 bytes.", examples=["ab" * 48])]
Seconds = Annotated[int, Meta(ge=0, le=2**40, description="Seconds since 1970, UTC.")]
RoundNumber = Annotated[int, Meta(ge=1, le=2**40, description="The number of a round of the beacon, from 1.")]


class BeaconChain(Value, frozen=True, kw_only=True):
    """A chain of drand with the scheme bls-unchained-g1-rfc9380. A hash over all of this names the chain.

    Round 1 is signed at `genesis_time`, and then one every `period` seconds. `beacon_id` is the name of the chain among
    those of its nodes, and `genesis_seed` what drand calls the group hash.
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
    """The round of a beacon from which the cards of a day follow beside the host's secret.

    The round was announced with the day, and `signature` is there once the cards are fixed. `away` says that the beacon
    did not tell it in time: the cards follow from the secret alone.
    """

    chain: BeaconChain
    round: RoundNumber
    signature: Signature | None = None
    away: bool = False


class SignedRound(Value, frozen=True, kw_only=True):
    """A round of a chain and its signature, from which its randomness follows."""

    chain: BeaconChain
    round: RoundNumber
    signature: Signature
