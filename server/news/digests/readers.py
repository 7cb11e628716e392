"""Who gets digests: players with a confirmed address who have switched them on."""

from collections.abc import Callable

from sqlalchemy import delete, insert, select, update

from cadogan.server.core.errors import Conflict, NotFound
from cadogan.server.database.connections import Database
from cadogan.server.database.tables import digest_readers, mail_addresses, one_time_codes
from cadogan.server.news.digests.times import due_at, next_week
from cadogan.server.players.sign_in.one_time_codes import find_code


class DigestReaders:
    """The readers in a database. `now` returns milliseconds since 1970; if not `offered`, nobody can switch them on."""

    def __init__(self, database: Database, offered: bool, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now
        self.offered = offered

    async def is_reader(self, player: str) -> bool:
        """Return whether a player gets digests."""
        own = select(digest_readers.c.player).where(digest_readers.c.player == player)
        return await self._database.fetch_value(own) is not None

    async def switch(self, player: str, on: bool, language: str) -> None:
        """Send a player digests in this language from next Monday on, or no more of them.

        Raises Conflict where none are sent, and without a confirmed address.
        """
        if not on:
            await self._remove(player)
            return
        if not self.offered:
            raise Conflict("This server sends no digests.")
        now = self._now()
        week = next_week(now)
        row = {"player": player, "language": language, "created_at": now, "week": week, "next_at": due_at(week)}
        mine = digest_readers.c.player == player
        async with self._database.writing() as connection:
            address = select(mail_addresses.c.confirmed_at).where(mail_addresses.c.player == player)
            if await connection.scalar(address.with_for_update()) is None:
                raise Conflict("Confirm your address first.")
            changed = update(digest_readers).where(mine).values(language=language)
            if not (await connection.execute(changed)).rowcount:
                await connection.execute(insert(digest_readers).values({**row, "attempts": 0, "refusals": 0}))

    async def end(self, code: str) -> None:
        """Send no more digests to whom a digest with this code was sent; asked for again, nothing more.

        Raises NotFound for a code that is not valid.
        """
        async with self._database.reading() as connection:
            found = await find_code(connection, code, "digest", self._now())
        if found is None or found.player is None:
            raise NotFound("This link is not valid, or not any more.")
        await self._remove(found.player)

    async def clear(self) -> None:
        """Delete the codes of digests that were sent long ago."""
        ended = (one_time_codes.c.purpose == "digest", one_time_codes.c.expires_at <= self._now())
        async with self._database.writing() as connection:
            await connection.execute(delete(one_time_codes).where(*ended))

    async def _remove(self, player: str) -> None:
        async with self._database.writing() as connection:
            await connection.execute(delete(digest_readers).where(digest_readers.c.player == player))
