"""The kinds of work that go through the outbox, each with rows to work on, for the one contract of all of them."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Table, insert

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import (
    deliveries,
    digest_readers,
    findings,
    mail_addresses,
    notification_devices,
    notifications,
    players,
    tokens,
    waiting_mails,
    webhooks,
)
from cadogan.server.core.dates import LAST_MOMENT
from cadogan.server.core.fairness.sealed_deals import SealedDeals
from cadogan.server.core.games.game_reader import GameReader
from cadogan.server.core.mailer import Mailer, SmtpServer
from cadogan.server.core.outbox import Queue
from cadogan.server.subjects.accounts import waiting_mails as account_mails
from cadogan.server.subjects.accounts.waiting_mails import WaitingMails
from cadogan.server.subjects.admin import findings as found
from cadogan.server.subjects.admin.findings import Findings, PlayedRuns
from cadogan.server.subjects.analysis.analyst import Analyst
from cadogan.server.subjects.analysis.decided_positions import DecidedPositions
from cadogan.server.subjects.analysis.jobs import LEASE_SECONDS, WHOLE_GAME, AnalysisJobs
from cadogan.server.subjects.known_rules import known_rules
from cadogan.server.subjects.news import digest_sender, webhook_sender
from cadogan.server.subjects.news.digest_sender import DigestQueue
from cadogan.server.subjects.news.digest_text import ClosedDay, DigestWeeks, OwnWeek, ServerWeek, due_at
from cadogan.server.subjects.news.items import Item, RenderedItem
from cadogan.server.subjects.news.notifications import sender as notification_sender
from cadogan.server.subjects.news.notifications.devices import StoredServerKey
from cadogan.server.subjects.news.notifications.sender import NotificationQueue
from cadogan.server.subjects.news.webhook_sender import DeliveryQueue
from tests.harness.memory_store import MemoryStore

Clock = Callable[[], int]
WEEK = 2963
START = due_at(WEEK)
"""When all of it is due, in milliseconds since 1970."""


class Kind(NamedTuple):
    """One kind of work: the queue of a node, how to write so many rows that are due at `START`, and what a claim is.

    `pauses` says whether what has failed waits before it is tried again, and whether destinations rest.
    """

    queue: Callable[[Database, Clock], Queue[Any]]
    write: Callable[[Database, int], Awaitable[None]]
    key: str
    claim_milliseconds: int
    pauses: bool = True


class _OneWeek(DigestWeeks):
    """A week with one closed day on which nobody has played."""

    def __init__(self) -> None: ...

    async def is_open(self, week: int, now: int) -> bool:
        return False

    async def server_week(self, week: int, now: int) -> ServerWeek:
        day = ClosedDay("2026-11-09", ("klondike",), (), 0, 0)
        return ServerWeek(("2026-11-09",), (day,), (), open=False)

    async def own_weeks(self, house: ServerWeek, players: Sequence[str], now: int) -> dict[str, OwnWeek]:
        return dict.fromkeys(players, OwnWeek((), 0))


async def _render(item: Item, language: str) -> RenderedItem:
    raise NotImplementedError


async def _house() -> str:
    return "The club"


async def _write(database: Database, rows: dict[Table, list[dict[str, Any]]]) -> None:
    async with database.writing() as connection:
        for table, values in rows.items():
            await connection.execute(insert(table), values)


def _players(count: int) -> list[dict[str, Any]]:
    return [{"id": f"p{number}", "name": f"P{number}", "created_at": 0} for number in range(count)]


async def _write_deliveries(database: Database, count: int) -> None:
    hook = {"id": "w", "name": "w", "url": "https://w.example", "format": "standard", "topics": "", "secret": "s"}
    item = msgspec.json.encode(Item("test", "", 0)).decode()
    row = {"webhook": "w", "item": item, "created_at": 0, "next_at": START, "attempts": 0, "state": "waiting"}
    rows = [{**row, "id": f"i{number}"} for number in range(count)]
    await _write(database, {webhooks: [{**hook, "created_at": 0}], deliveries: rows})


async def _write_notifications(database: Database, count: int) -> None:
    names = [f"p{number}" for number in range(count)]
    device = {"named_by": "p0", "service": "push.example", "endpoint": "https://push.example/1", "endpoint_hash": "h"}
    device |= {"public_key": "", "secret": "", "topics": "", "language": "en", "time_zone": "UTC"}
    row = {"service": "push.example", "kind": "test", "about": "", "games": "", "attempts": 0}
    row |= {"created_at": 0, "next_at": START, "expires_at": LAST_MOMENT}
    await _write(
        database,
        {
            players: _players(count),
            tokens: [{"hash": f"s{one}", "player": one, "created_at": 0, "expires_at": LAST_MOMENT} for one in names],
            notification_devices: [
                {**device, "session": f"s{one}", "player": one, "created_at": 0, "failures": 0} for one in names
            ],
            notifications: [{**row, "id": f"i{one}", "session": f"s{one}", "player": one} for one in names],
        },
    )


async def _write_mails(database: Database, count: int) -> None:
    names, row = [f"p{number}" for number in range(count)], {"domain": "b.example", "site": "https://b.example"}
    rows = [{**row, "player": one, "asked_at": START, "next_at": START, "attempts": 0} for one in names]
    await _write(database, {players: _players(count), mail_addresses: _addresses(names), waiting_mails: rows})


def _addresses(names: Sequence[str]) -> list[dict[str, Any]]:
    mail = {"language": "en", "confirmed_at": 0}
    return [{**mail, "player": one, "address": f"{one}@b.example", "key": f"{one}@b.example"} for one in names]


async def _write_digests(database: Database, count: int) -> None:
    names = [f"p{number}" for number in range(count)]
    row = {"language": "en", "created_at": 0, "week": WEEK, "next_at": START, "attempts": 0, "refusals": 0}
    readers = [{**row, "player": one} for one in names]
    await _write(database, {players: _players(count), mail_addresses: _addresses(names), digest_readers: readers})


async def _write_findings(database: Database, count: int) -> None:
    rows = [{"day": f"2026-11-{10 + number}", "at": 0, "next_at": START, "count": 0} for number in range(count)]
    await _write(database, {findings: rows})


def _findings(database: Database, now: Clock) -> Findings:
    store = MemoryStore()
    return Findings(
        database, store, PlayedRuns(database, store, GameReader(store, SealedDeals(database), known_rules())), now
    )


async def _write_analyses(database: Database, count: int) -> None:
    jobs = AnalysisJobs(database, lambda: START)
    for number in range(count):
        await jobs.ask(f"g{number}", WHOLE_GAME, "ann")


def _analyst(database: Database, now: Clock) -> Analyst:
    reader = GameReader(MemoryStore(), SealedDeals(database), known_rules())
    return Analyst(AnalysisJobs(database, now), DecidedPositions(database, now), reader)


def _webhooks(database: Database, now: Clock) -> DeliveryQueue:
    return DeliveryQueue(database, now, _render, may_go_inside=True)


def _push(database: Database, now: Clock) -> NotificationQueue:
    return NotificationQueue(database, StoredServerKey(database, now), now, _house, "", may_go_inside=True)


def _mailer() -> Mailer:
    return Mailer(SmtpServer("127.0.0.1", 1, use_tls=False), "a@b.example")


def _digests(database: Database, now: Clock) -> DigestQueue:
    return DigestQueue(database, _mailer(), _OneWeek(), now, _house, "https://b.example")


def _mails(database: Database, now: Clock) -> WaitingMails:
    return WaitingMails(database, _mailer(), now)


KINDS = {
    "webhook": Kind(_webhooks, _write_deliveries, "id", webhook_sender.CLAIM_MILLISECONDS),
    "push": Kind(_push, _write_notifications, "id", notification_sender.CLAIM_MILLISECONDS),
    "digest": Kind(_digests, _write_digests, "player", digest_sender.CLAIM_MILLISECONDS),
    "mail": Kind(_mails, _write_mails, "player", account_mails.CLAIM_MILLISECONDS),
    "findings": Kind(_findings, _write_findings, "day", found.CLAIM_MILLISECONDS),
    "analysis": Kind(_analyst, _write_analyses, "game", LEASE_SECONDS * 1000 + 1, pauses=False),
}
