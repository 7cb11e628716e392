"""The notifications of one node: their parts, connected, and the rounds in which they work."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from cadogan.server.competitions.daily.challenges import DailyChallenges
from cadogan.server.competitions.races.repository import RaceCommitted, RaceRepository
from cadogan.server.database.connections import Database
from cadogan.server.leaderboards.queries import BoardQueries
from cadogan.server.news.notifications.desk import NotificationDesk
from cadogan.server.news.notifications.devices import Devices
from cadogan.server.news.notifications.overtaken import OvertakenDesk
from cadogan.server.news.notifications.sender import NotificationQueue
from cadogan.server.news.notifications.server_key import NotificationKeyUnusable, StoredServerKey
from cadogan.server.outbox.outbox import Outbox
from cadogan.server.outbox.periodic import make_rounds
from cadogan.server.players.persons import Persons

log = structlog.stdlib.get_logger("cadogan.news")


class Notifier:
    """What readers are told on their devices. `now` returns milliseconds since 1970, `house` what the house is called.

    `contact` is what push services are told, and `may_go_inside` lets them be at addresses that are not public.
    """

    def __init__(
        self,
        database: Database,
        challenges: DailyChallenges,
        races: RaceRepository,
        boards: BoardQueries,
        persons: Persons,
        now: Callable[[], int],
        house: Callable[[], Awaitable[str]],
        contact: str,
        may_go_inside: bool,
    ) -> None:
        self._now = now
        self._key = StoredServerKey(database, now)
        self._overtaken = OvertakenDesk(database, challenges, boards)
        self._looking, self._sending = asyncio.Event(), asyncio.Event()
        self.devices = Devices(database, self._key, persons, now, may_go_inside)
        self.desk = NotificationDesk(database, challenges, races, self._overtaken, now)
        queue = NotificationQueue(database, self._key, now, house, contact, may_go_inside)
        self.sender = Outbox(queue, self._sending.set)

    def on_race_change(self, committed: RaceCommitted) -> None:
        """Call the racers soon, if a race has begun. This never waits."""
        if committed.state.started is not None and not committed.state.over:
            self._looking.set()

    def on_device_change(self) -> None:
        """Note soon which ranks are known, because a device wants to be told of them. This never waits."""
        self._overtaken.note_change()
        self._looking.set()

    def send_soon(self) -> None:
        """Send what is due without waiting for the next round. This never waits."""
        self._sending.set()

    async def run(self, stopping: asyncio.Event) -> None:
        """Make the key of the server, if there is none; then look for news and send it until the server is stopping.

        Looking does not wait for what is being sent: a push service may be slow.
        """
        try:
            await self._key.get()
        except NotificationKeyUnusable as error:
            log.error("notification_key_unusable", reason=str(error))

        async def look(_: asyncio.Event) -> None:
            await self.desk.collect()
            self._sending.set()

        async def clear() -> None:
            await self.desk.clear()
            await self.devices.clear()

        await asyncio.gather(
            make_rounds("notifications", look, clear, self._now, self._looking, stopping),
            make_rounds("sending", self.sender.start_due, None, self._now, self._sending, stopping),
        )
        await self.sender.close()
