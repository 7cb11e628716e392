"""The cards of a test are the same in every run, so that no deal is unlucky now and then."""

from collections import Counter
from contextvars import ContextVar
from hashlib import sha256
from random import Random

import pytest

from cadogan.server.fairness import commit_reveal
from cadogan.server.fairness.sealed_deals import SealedDay, SealedDeals


@pytest.fixture(autouse=True)
def repeatable_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw no secret twice in one test, and the same ones in every run, as well as the nonces of the SDK.

    The secrets of each day are numbered by themselves, because several tasks of a server announce the days, and which
    of them comes first is not the same in every run.
    """
    drawn = Counter[str]()
    drawn_for = ContextVar("drawn_for", default="a game")
    seal_day = SealedDeals.seal_day

    async def seal_by_day(deals: SealedDeals, day: str, now: int, grace: int | None = None) -> SealedDay:
        token = drawn_for.set(day)
        try:
            return await seal_day(deals, day, now, grace)
        finally:
            drawn_for.reset(token)

    def draw_secret() -> bytes:
        drawn[drawn_for.get()] += 1
        return sha256(f"test {drawn_for.get()} {drawn[drawn_for.get()]}".encode()).digest()

    monkeypatch.setattr(SealedDeals, "seal_day", seal_by_day)
    monkeypatch.setattr(commit_reveal, "draw_secret", draw_secret)
    monkeypatch.setattr("cadogan.sdk.client.secrets.choice", Random("nonces").choice)
