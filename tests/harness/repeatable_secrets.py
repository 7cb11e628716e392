"""Repeatable secrets: the cards of a test are the same in every run, so that no unlucky deal makes it flaky."""

from collections import Counter
from contextvars import ContextVar
from hashlib import sha256
from random import Random

import pytest

from cadogan.server.core.fairness import commit_reveal
from cadogan.server.core.fairness.sealed_deals import SealedDay, SealedDeals


def make_secrets_repeatable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the source of secrets and of the SDK's nonces by a repeatable sequence without duplicates.

    Each day has its own sequence, because several tasks of a server announce days in an unpredictable order.
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


@pytest.fixture(autouse=True)
def repeatable_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test has the same secrets on every run."""
    make_secrets_repeatable(monkeypatch)
