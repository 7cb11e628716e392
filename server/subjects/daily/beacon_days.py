"""The beacon of the days: asking for its rounds over HTTP, and what they add to a day.

Days with a beacon: the round that is announced, its signature when the day begins, and the wait for both.

The code that writes these events calls this module. No call blocks: if a value is not known yet, call again later.

Read the rounds of a beacon over drand's HTTP interface. An answer is accepted only if its signature is valid.

Raises BeaconUnavailable if there is no answer or an invalid one; the text has the reason.
"""

import asyncio
import re
from collections.abc import Collection
from typing import Any, NamedTuple

import aiohttp
import msgspec
import structlog
from msgspec import UNSET, UnsetType

from cadogan.server.core import dates
from cadogan.server.core.eventlog.events import AnnouncedDeal, DailyDrawn
from cadogan.server.core.fairness.certificates import can_be_searched
from cadogan.server.core.fairness.commit_reveal import QUICKNET, SCHEME, chain_hash, is_genuine, round_at, signed_at
from cadogan.server.core.fairness.sealed_deals import StoredCertificates
from cadogan.server.core.untrusted_input import TooLong, read_at_most
from cadogan.wire.beacon import BeaconChain, BeaconRound, SignedRound

log = structlog.stdlib.get_logger("cadogan.beacon")
TIMEOUT_SECONDS = 5.0
RETRY_SECONDS = 2.0
"""Seconds between a failed request and the next."""
MAX_SIGNATURES = 100
"""Signatures that are kept in memory: those of days and of evenings may be due at the same time."""
MAX_ANSWER_BYTES = 8 * 1024
_ADDRESS = re.compile(r"drand:([0-9a-f]{64})@(https?://[^@?#\s]+)")


class BeaconUnavailable(Exception):
    """The beacon does not answer, or its answer is invalid. The text has the reason."""


class BeaconAddress(NamedTuple):
    """The hash of a chain, and the URL of a server that publishes its rounds."""

    chain: str
    url: str

    @classmethod
    def read(cls, text: str) -> "BeaconAddress":
        """Return the address in a text like ``drand:<hash of the chain>@https://api.drand.sh``. Raises ValueError."""
        found = _ADDRESS.fullmatch(text.strip())
        if found is None:
            raise ValueError("is not a beacon: write drand:, the hash of the chain, @ and the URL of a drand server")
        return cls(found[1], found[2].rstrip("/"))


class _Named(msgspec.Struct):
    beacon_id: str = msgspec.field(name="beaconID", default="default")


class _Info(msgspec.Struct):
    public_key: str
    period: int
    genesis_time: int
    genesis_seed: str = msgspec.field(name="groupHash")
    scheme: str = msgspec.field(name="schemeID")
    metadata: _Named = msgspec.field(default_factory=_Named)


class _Signed(msgspec.Struct):
    round: int
    signature: str


class BeaconSource:
    """One node's client of a beacon. Calls do not block: an unknown value is requested in the background."""

    def __init__(self, address: BeaconAddress) -> None:
        self._address = address
        self._chain = QUICKNET if address.chain == chain_hash(QUICKNET) else None
        self._signatures: dict[BeaconRound, str] = {}
        self._asking: dict[BeaconRound | None, asyncio.Task[None]] = {}

    def chain(self) -> BeaconChain | None:
        """Return the chain if it is known; otherwise request it in the background and return None."""
        if self._chain is None:
            self._ask(None)
        return self._chain

    def signature(self, one: BeaconRound) -> str | None:
        """Return the signature of a round if it is known; otherwise request it in the background and return None."""
        if one not in self._signatures:
            self._ask(one)
        return self._signatures.get(one)

    async def read_chain(self) -> BeaconChain:
        """Read the chain from the beacon, and check its hash. Raises BeaconUnavailable."""
        info = await self._get(f"{self._address.chain}/info", _Info)
        try:
            chain = msgspec.convert(
                {
                    "beacon_id": info.metadata.beacon_id,
                    "genesis_seed": info.genesis_seed,
                    "genesis_time": info.genesis_time,
                    "period": info.period,
                    "public_key": info.public_key,
                },
                BeaconChain,
            )
        except msgspec.ValidationError as error:
            raise BeaconUnavailable(f"it tells a chain that cannot be used: {error}") from None
        if info.scheme != SCHEME:
            raise BeaconUnavailable(f"its scheme is {info.scheme[:64]!r}, and only {SCHEME} can be used")
        if chain_hash(chain) != self._address.chain:
            raise BeaconUnavailable(f"it tells the chain {chain_hash(chain)}")
        return chain

    async def read_round(self, one: BeaconRound) -> SignedRound:
        """Read a round, and verify its signature. Raises BeaconUnavailable."""
        response = await self._get(f"{chain_hash(one.chain)}/public/{one.round}", _Signed)
        if response.round != one.round:
            raise BeaconUnavailable(f"it tells round {response.round} in place of {one.round}")
        try:
            values = {"chain": one.chain, "round": one.round, "signature": response.signature}
            signed = msgspec.convert(values, SignedRound)
        except msgspec.ValidationError as error:
            raise BeaconUnavailable(f"it tells a signature that is none: {error}") from None
        if not await asyncio.to_thread(is_genuine, signed):
            raise BeaconUnavailable(f"its signature of round {one.round} is wrong")
        return signed

    async def wait_until_idle(self) -> None:
        """Wait until no request and no pause after one is running."""
        await asyncio.gather(*self._asking.values(), return_exceptions=True)

    async def close(self) -> None:
        """Cancel running requests."""
        for task in self._asking.values():
            task.cancel()
        await self.wait_until_idle()

    def _ask(self, one: BeaconRound | None) -> None:
        """Request a round, or the chain, unless the same request was sent a moment ago."""
        if one not in self._asking:
            task = self._asking[one] = asyncio.ensure_future(self._keep_answer(one))
            task.add_done_callback(lambda _: self._asking.pop(one))

    async def _keep_answer(self, one: BeaconRound | None) -> None:
        try:
            if one is None:
                self._chain = await self.read_chain()
            else:
                self._signatures[one] = (await self.read_round(one)).signature
                if len(self._signatures) > MAX_SIGNATURES:
                    del self._signatures[next(iter(self._signatures))]
        except BeaconUnavailable as error:
            log.warning("beacon_away", round=one.round if one else None, reason=str(error))
            await asyncio.sleep(RETRY_SECONDS)

    async def _get(self, path: str, kind: type[Any]) -> Any:
        timeout = aiohttp.ClientTimeout(total=TIMEOUT_SECONDS)
        cookies = aiohttp.DummyCookieJar()
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout, cookie_jar=cookies, trust_env=True) as session,
                session.get(f"{self._address.url}/{path}", allow_redirects=False) as answer,
            ):
                if answer.status != 200:
                    raise BeaconUnavailable(f"it answers {answer.status}")
                return msgspec.json.decode(await read_at_most(answer.content, MAX_ANSWER_BYTES), type=kind)
        except (aiohttp.ClientError, OSError, TimeoutError, TooLong, UnicodeError) as error:
            raise BeaconUnavailable(str(error) or type(error).__name__) from None
        except (msgspec.DecodeError, RecursionError) as error:
            raise BeaconUnavailable(f"its answer cannot be read: {error}") from None


BEACON_TIMEOUT_MILLISECONDS = 10 * 60_000
"""Milliseconds after a round is due until the day opens without it, from the secret alone."""
SEARCH_MILLISECONDS = 60_000
"""Milliseconds after the draw for searching the deals. A deal whose search has not ended by then is not certified."""
SHUFFLING_BUDGET = 1_000
"""The node limit of the search for a win, for each candidate, while players wait for it."""


class BeaconDays:
    """The beacon of a server's days; `source` is None for a server that has none."""

    def __init__(self, source: BeaconSource | None, certificates: StoredCertificates) -> None:
        self._source = source
        self._certificates = certificates

    def round_of(self, day: str, now: int) -> BeaconRound | UnsetType | None:
        """Return the round for a day that is announced now; None if the chain is not known yet.

        UNSET for a day that has begun, because its round may be known already, and without a beacon.
        """
        opens_at = dates.day_times(day, 0).opens_at
        if self._source is None or now >= opens_at:
            return UNSET
        chain = self._source.chain()
        return None if chain is None else round_at(chain, opens_at)

    def draw(self, one: BeaconRound, now: int) -> DailyDrawn | None:
        """Return the event that fixes the cards of a day that has begun; None while the signature is not known."""
        signature = None if self._source is None else self._source.signature(one)
        is_away = now >= signed_at(one) + BEACON_TIMEOUT_MILLISECONDS
        return DailyDrawn(signature) if signature is not None or is_away else None

    async def is_searched(self, deals: Collection[AnnouncedDeal], drawn_at: int, now: int) -> bool:
        """Return whether the search of a day's deals has ended, or its time limit has passed."""
        wanted = [one.deal for one in deals if can_be_searched(one)]
        return now >= drawn_at + SEARCH_MILLISECONDS or len(await self._certificates.get(wanted)) == len(wanted)
