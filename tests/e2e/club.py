"""A server to visit with browsers, and the hands of its clock."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Mapping
from pathlib import Path
from typing import Protocol

from aiohttp.test_utils import TestServer
from playwright.async_api import Browser, ViewportSize

from cadogan.server.config import Settings
from cadogan.server.core import dates
from cadogan.server.web_app import make_app
from tests.e2e.person import Person
from tests.harness.oidc_provider import CLIENT, SECRET
from tests.harness.server_process import free_port

FIRST_DAY = "2026-11-20"
GRACE = 3600
NOON = 12 * 3_600_000
SETTLED = 60_000
"""Milliseconds after which a day that may be closed is sure to be."""


class Clock:
    """A server's time, which runs, and can be turned; milliseconds since 1970."""

    def __init__(self, now: int) -> None:
        self._ahead = 0
        self.turn_to(now)

    def __call__(self) -> int:
        return time.time_ns() // 1_000_000 + self._ahead

    def turn_to(self, now: int) -> None:
        """Let it be this moment now."""
        self._ahead = now - time.time_ns() // 1_000_000

    @property
    def ahead(self) -> int:
        """How far it is ahead of this machine's."""
        return self._ahead


class Club:
    """A running server and its clock: noon of the first day at the start."""

    def __init__(self, url: str, clock: Clock) -> None:
        self.url = url
        self.clock = clock

    async def visitor(
        self, browser: Browser, viewport: ViewportSize, is_new: bool = False, has_motion: bool = False
    ) -> Person:
        """A person who has never been here, on whose machine it is as late as here, at the first page."""
        ahead = self.clock.ahead
        return await Person.at(browser, self.url, viewport, ahead, is_new=is_new, has_motion=has_motion)

    async def newcomer(self, browser: Browser, viewport: ViewportSize, offline: bool = False) -> Person:
        """A person who has never been here, on whose machine it is as late as here, and who has opened no page yet."""
        return await Person.away(browser, self.url, viewport, self.clock.ahead, offline)

    def close_day(self, day: str) -> None:
        """Turn the clock to when the day, with its grace, is over."""
        self.clock.turn_to(dates.day_times(day, GRACE * 1000).closes_at + SETTLED)


def open_club(
    database_url: str,
    folder: Path,
    card: Mapping[str, str],
    smtp_url: str = "",
    oidc_issuer: str = "",
    beacon: str = "",
    has_origin: bool = False,
) -> tuple[TestServer, Clock]:
    """A server whose every day has this card, a game for each level; it runs while the context does.

    With `has_origin` it is told the address at which it is.
    """
    port = free_port() if has_origin else None
    calendar = folder / "calendar.toml"
    calendar.write_text("".join(f'[[deal]]\nlevel = "{level}"\ngames = ["{game}"]\n' for level, game in card.items()))
    settings = Settings(
        database_url=database_url,
        daily_grace=GRACE,
        calendar=str(calendar),
        fresh=0,
        rate=1000,
        burst=1000,
        private_destinations=("webhooks", "notifications"),
        smtp_url=smtp_url,
        mail_from="club@patience.example" if smtp_url else "",
        oidc_issuer=oidc_issuer,
        oidc_client_id=CLIENT if oidc_issuer else "",
        oidc_client_secret=SECRET if oidc_issuer else "",
        beacon=beacon,
        origin=(f"http://127.0.0.1:{port}",) if has_origin else (),
    )
    clock = Clock(dates.day_times(FIRST_DAY, 0).opens_at + NOON)
    return TestServer(make_app(settings, clock), port=port), clock


class Clubs(Protocol):
    """What opens a club whose every day has this card."""

    def __call__(
        self,
        card: dict[str, str],
        smtp_url: str = "",
        oidc_issuer: str = "",
        beacon: str = "",
        has_origin: bool = False,
    ) -> Awaitable[Club]:
        """Open it."""
