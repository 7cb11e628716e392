"""Who was overtaken on the board of a day: a player's rank is worse than the one known, and the own total is the same.

The board is compared when a run has ended, and not otherwise. A player is told a few times a day at most, and not in
quick succession; until then the rank that is known stays, so what happens meanwhile is told together.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from cadogan.server.competitions.daily.challenges import DailyChallenges
from cadogan.server.competitions.daily.daily_challenge import DailyChallenge
from cadogan.server.core import dates, ids
from cadogan.server.core.dates import LAST_MOMENT
from cadogan.server.database.connections import Database
from cadogan.server.database.tables import notification_devices, notified_ranks
from cadogan.server.eventlog.streams import GAMES
from cadogan.server.leaderboards.names import day_board
from cadogan.server.leaderboards.queries import BoardQueries, RankedTotal
from cadogan.server.news.notifications.queue import devices_with, write_notifications
from cadogan.server.transparency.ended_feed import EndedFeed

MAX_A_DAY = 3
"""So often a player is told of being overtaken on one day's board."""
PAUSE_MILLISECONDS = 30 * 60_000
"""Between two of them."""
KEEP_DAYS = 3
_PLAYERS_PER_STATEMENT = 500


class OvertakenDesk:
    """The desk of one node for ranks. Moments are in milliseconds since 1970."""

    def __init__(self, database: Database, challenges: DailyChallenges, boards: BoardQueries) -> None:
        self._database = database
        self._challenges = challenges
        self._boards = boards
        self._ended = EndedFeed(database)
        self._due_at = 0

    def note_change(self) -> None:
        """Compare the ranks at the next `collect`, because a device wants to be told. This never waits."""
        self._due_at = 0

    async def collect(self, now: int) -> None:
        """Write the notifications of those who were overtaken since the last time."""
        async for _ in self._ended.read("overtaken", GAMES):
            self._due_at = 0
        if now < self._due_at:
            return
        self._due_at = LAST_MOMENT
        wanted = select(notification_devices.c.player).distinct()
        async with self._database.reading() as connection:
            rows = await connection.scalars(wanted.where(notification_devices.c.topics.contains("overtaken")))
            readers = sorted(one for one in rows if not ids.is_bot(one))
        for day in (dates.day_of(now), dates.add_days(dates.day_of(now), -1)):  # yesterday's runs may still end
            daily = await self._challenges.get(day, now)
            if daily is not None and daily.state(now) == "open":
                for start in range(0, len(readers), _PLAYERS_PER_STATEMENT):
                    await self._compare(daily, readers[start : start + _PLAYERS_PER_STATEMENT], now)

    async def clear(self, now: int) -> None:
        """Forget the ranks on boards of days that are long over."""
        before = dates.add_days(dates.day_of(now), -KEEP_DAYS)
        async with self._database.writing() as connection:
            await connection.execute(delete(notified_ranks).where(notified_ranks.c.day < before))

    async def _compare(self, daily: DailyChallenge, readers: Sequence[str], now: int) -> None:
        here = select(notified_ranks).where(notified_ranks.c.day == daily.day, notified_ranks.c.player.in_(readers))
        known = {row.player: row for row in await self._database.fetch(here)}
        for own in await self._boards.ranked(day_board(daily.day), readers):
            await self._compare_one(daily, own, known.get(own.player), now)

    async def _compare_one(
        self, daily: DailyChallenge, own: RankedTotal, known: Row[tuple[Any, ...]] | None, now: int
    ) -> None:
        total = f"{own.deficit} {own.moves} {own.milliseconds}"
        if known is None:
            await self._begin(daily.day, own, total)
            return
        is_overtaken = own.rank > known.rank and total == known.total
        if is_overtaken and known.told >= MAX_A_DAY:
            return
        if is_overtaken and now < known.told_at + PAUSE_MILLISECONDS:
            self._due_at = min(self._due_at, known.told_at + PAUSE_MILLISECONDS)
            return
        if (own.rank, total) == (known.rank, known.total):
            return
        notified = {"told": known.told + 1, "told_at": now} if is_overtaken else {}
        changed = update(notified_ranks).where(
            notified_ranks.c.player == own.player,
            notified_ranks.c.day == daily.day,
            notified_ranks.c.rank == known.rank,
            notified_ranks.c.told == known.told,
        )
        async with self._database.writing() as connection:
            is_first = (await connection.execute(changed.values(rank=own.rank, total=total, **notified))).rowcount
            if is_first and is_overtaken:  # else another node has told it
                mine = notification_devices.c.player == own.player
                devices = await devices_with(connection, "overtaken", mine)
                await write_notifications(connection, devices, "overtaken", daily.day, "", now, daily.span.closes_at)

    async def _begin(self, day: str, own: RankedTotal, total: str) -> None:
        row = {"player": own.player, "day": day, "rank": own.rank, "total": total, "told": 0, "told_at": 0}
        try:
            async with self._database.writing() as connection:
                await connection.execute(insert(notified_ranks).values(row))
        except IntegrityError:
            pass  # another node has, or the player was erased
