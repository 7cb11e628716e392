"""The cards of evenings on one node: sealing them, drawing them with the beacon, and their certificates.

The cards of a round follow from its secret, which is committed to when the evening is announced; from the round of the
beacon, if the server has one; and from the candidate that the announced search wins first, if it wins one in time.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cadogan import engine
from cadogan.server.core.database.revisions import DatabaseDamaged
from cadogan.server.core.errors import Conflict
from cadogan.server.core.eventlog.events import Certificate
from cadogan.server.core.fairness.certificates import certificate_seal, wins
from cadogan.server.core.fairness.commit_reveal import competition_deal_id, signed_at
from cadogan.server.core.fairness.sealed_deals import SealedDeal
from cadogan.server.subjects.evenings.cards.evening_cards import beacon_round, to_search
from cadogan.server.subjects.evenings.evening_events import KEY, Drawn, PlannedRound
from cadogan.server.subjects.evenings.evening_rules import about_of
from cadogan.server.subjects.evenings.evening_state import EveningState
from cadogan.wire.beacon import BeaconRound

if TYPE_CHECKING:
    from cadogan.server.app import Server  # builds this part

MAX_REMEMBERED_DEALS = 5_000
SIGNATURE_TIMEOUT_MILLISECONDS = 10_000
"""The minimum milliseconds to wait for the beacon, also on a node that starts after the opening of round 1."""


class EveningDeals:
    """The sealed deals of evenings on one node."""

    def __init__(self, server: "Server") -> None:
        self._server = server
        self._sealed: dict[str, SealedDeal] = {}
        self._asked: dict[BeaconRound, int] = {}
        """When a signature was asked for first, in milliseconds since 1970."""

    def announce_beacon(self, announced_at: int, opens_at: int) -> BeaconRound | None:
        """Return the beacon round for an evening that is announced now; None if the server has no beacon.

        Raises Conflict if the chain is not known yet, or round 1 opens before the beacon has signed.
        """
        if self._server.beacon is None:
            return None
        chain = self._server.beacon.chain()
        if chain is None:
            raise Conflict("The beacon of this server has not answered yet. Try again in a minute.")
        found = beacon_round(chain, announced_at, opens_at)
        if signed_at(found) > opens_at:
            raise Conflict("An evening cannot begin before its cards are drawn.")
        return found

    async def seal(self, id: str, number: int, game: str) -> SealedDeal:
        """Seal the deal of a round, or return the one that is sealed."""
        name = competition_deal_id(KEY, about_of(id, number))
        return await self._server.deals.seal_named(name, game, self._server.now())

    async def seal_all(self, id: str, games: Sequence[str]) -> list[SealedDeal]:
        """Seal the deals of all rounds, of these games, or return those that are sealed."""
        names = [competition_deal_id(KEY, about_of(id, number)) for number in range(1, len(games) + 1)]
        return await self._server.deals.seal_many(dict(zip(names, games, strict=True)), self._server.now())

    async def sealed(self, id: str, coming: PlannedRound) -> SealedDeal:
        """Return the sealed deal of a round: its secret, without what else its cards follow from."""
        deal = self._sealed.get(coming.deal)
        if deal is None:
            deal = await self.seal(id, coming.round, coming.game)
            if len(self._sealed) >= MAX_REMEMBERED_DEALS:
                self._sealed.clear()
            self._sealed[coming.deal] = deal
        return deal

    async def sealed_many(self, id: str, rounds: Sequence[PlannedRound]) -> list[SealedDeal]:
        """Return the sealed deals of these rounds, in their order; those that are not in memory are read at once."""
        unknown = [one.deal for one in rounds if one.deal not in self._sealed]
        read = {deal.id: deal for deal in await self._server.deals.get_many(unknown)} if unknown else {}
        if len(self._sealed) + len(read) > MAX_REMEMBERED_DEALS:
            self._sealed.clear()
        self._sealed |= read
        return [await self.sealed(id, one) for one in rounds]

    async def read_secrets(self, id: str, rounds: Sequence[PlannedRound]) -> dict[str, str]:
        """Return the secrets of the deals of these rounds, in hex, by number."""
        deals = await self.sealed_many(id, rounds)
        return {str(one.round): deal.secret.hex() for one, deal in zip(rounds, deals, strict=True)}

    async def hidden_secrets(self, state: EveningState) -> dict[str, str]:
        """Return the secrets of the deals that are not revealed, in hex, by number."""
        return await self.read_secrets(state.id, [one for one in state.rounds if one.round not in state.secrets])

    async def cards(self, state: EveningState, coming: PlannedRound) -> SealedDeal:
        """Return the deal of a round that has opened, with its cards. Raises DatabaseDamaged as `certificate`."""
        found = await self.certificate(state, coming)
        return deal_of_candidate(await self.sealed(state.id, coming), found, state.round_digest)

    async def certificate(self, state: EveningState, coming: PlannedRound) -> Certificate | None:
        """Return the certificate with whose seal a round has opened; None if it opened without one.

        Raises DatabaseDamaged if the certificate is lost, so that its cards are unknown.
        """
        seal = state.seals.get(coming.round)
        if seal is None:
            return None
        found = state.certificates.get(coming.round)
        if found is None:
            found = (await self._server.certificates.get([coming.deal])).get(coming.deal)
        secret = (await self.sealed(state.id, coming)).secret
        if found is None or certificate_seal(secret, found) != seal:
            lost = f"the certificate of {coming.deal} is missing: `cadogan certify` finds it again"
            raise DatabaseDamaged(lost)
        return found

    async def find_seal(self, state: EveningState, coming: PlannedRound) -> str | None:
        """Return the seal of the certificate of a round that opens now; None if its search has won nothing in time."""
        if coming.search is None:
            return None
        found = (await self._server.certificates.get([coming.deal])).get(coming.deal)
        if found is None or found.rules_version != engine.game(coming.game).rules_version:
            return None
        secret = (await self.sealed(state.id, coming)).secret
        return certificate_seal(secret, found) if wins(to_search(coming), secret, found, state.round_digest) else None

    def draw(self, state: EveningState) -> Sequence[Drawn]:
        """Return the event that fixes the cards; nothing while the signature is not known, and may still come."""
        beacon = state.plan.beacon
        assert beacon is not None
        signature = None if self._server.beacon is None else self._server.beacon.signature(beacon)
        now = self._server.now()
        if len(self._asked) >= MAX_REMEMBERED_DEALS:
            self._asked.clear()
        asked_at = self._asked.setdefault(beacon, now)
        is_away = now >= max(state.rounds[0].opens_at, asked_at + SIGNATURE_TIMEOUT_MILLISECONDS)
        return [Drawn(signature)] if signature is not None or is_away else []


def deal_of_candidate(deal: SealedDeal, certificate: Certificate | None, round_digest: str | None) -> SealedDeal:
    """Return a sealed deal with the cards of the certified candidate, or of the first one without a certificate."""
    candidate = 0 if certificate is None else certificate.candidate
    return SealedDeal(deal.id, deal.game, deal.secret, deal.commitment, candidate=candidate, round_digest=round_digest)
