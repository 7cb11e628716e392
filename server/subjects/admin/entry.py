"""Entry rules: who may create an account or begin as a guest. They do not affect existing players."""

from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager

from sqlalchemy import delete, insert, select, update

from cadogan.server.core import ids
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import house as entry_rules
from cadogan.server.core.database.tables import one_time_codes
from cadogan.server.core.dates import MILLISECONDS_PER_DAY
from cadogan.server.core.errors import Forbidden, NotFound, TooMany
from cadogan.server.core.event_loop import Batcher
from cadogan.server.core.eventlog.events import HouseActed
from cadogan.server.subjects.accounts.codes import OneTimeCode, delete_codes, make_code, use_code, valid_codes
from cadogan.server.subjects.admin.admin_log import lock_admin_log, record_act
from cadogan.wire import admin as wire

MAX_INVITATIONS = 100
"""The maximum number of invitations that may be valid at the same time."""
_ID = "house"


class Entry:
    """The entry rules of a server. `now` returns the time in milliseconds since 1970."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now
        self._settings = Batcher(self._read)

    async def settings(self) -> wire.Entry:
        """Return the entry rules; by default everybody may enter. Concurrent calls share one query."""
        return await self._settings.get(_ID) or wire.Entry(accounts="open", guests=True)

    async def _read(self, wanted: Collection[str]) -> dict[str, wire.Entry]:
        chosen = select(entry_rules).where(entry_rules.c.id.in_(wanted))
        rows = await self._database.fetch(chosen)
        return {row.id: wire.Entry(accounts=row.accounts, guests=row.guests) for row in rows}

    async def change(self, by: str | None, wanted: wire.Entry) -> None:
        """Change the entry rules. `by` is the id of the acting host; None at the command line."""
        row = {"id": _ID, "accounts": wanted.accounts, "guests": wanted.guests}
        async with self._database.writing() as connection:
            await lock_admin_log(connection)
            await connection.execute(delete(entry_rules))
            await connection.execute(insert(entry_rules).values(row))
            act = HouseActed("entry_changed", by=by, accounts=wanted.accounts, guests=wanted.guests)
            await record_act(connection, act, self._now())

    async def admit_guest(self) -> None:
        """Check that guests are allowed. Raises Forbidden."""
        if not (await self.settings()).guests:
            raise Forbidden("This server takes no guests: sign in, or create an account.")

    @asynccontextmanager
    async def admitting(self, invitation: str | None) -> AsyncIterator[None]:
        """Check that an account may be created, and use the invitation once. Create the account in the context.

        If the context raises, the use does not count. Raises Forbidden.
        """
        accounts = (await self.settings()).accounts
        if accounts == "closed":
            raise Forbidden("This server takes no new players.")
        used = await self._use(invitation) if accounts == "invitation" else None
        try:
            yield
        except BaseException:
            if used is not None:
                again = update(one_time_codes).where(one_time_codes.c.id == used)
                async with self._database.writing() as connection:
                    await connection.execute(again.values(uses=one_time_codes.c.uses + 1))
            raise

    async def invitations(self) -> list[wire.Invitation]:
        """Return the invitations that have not expired, the latest first."""
        async with self._database.reading() as connection:
            return [_invitation(one) for one in await valid_codes(connection, "invitation", self._now())]

    async def invite(self, by: str | None, wanted: wire.NewInvitation, id: str | None = None) -> wire.MadeInvitation:
        """Create an invitation with this id. Repeating the call gives it a new code.

        Raises TooMany beyond `MAX_INVITATIONS`.
        """
        now, id = self._now(), id or ids.new_id()
        expires_at = now + wanted.days * MILLISECONDS_PER_DAY
        async with self._database.writing() as connection:
            await lock_admin_log(connection)
            valid = {one.id for one in await valid_codes(connection, "invitation", now)}
            if len(valid - {id}) >= MAX_INVITATIONS:
                raise TooMany("At most {count} invitations may be valid: end one first.", count=MAX_INVITATIONS)
            await delete_codes(connection, ended_by=now)
            code = await make_code(connection, id, "invitation", now, expires_at, uses=wanted.uses)
            if id not in valid:
                act = HouseActed("invited", by=by, code=id, uses=wanted.uses, until=expires_at)
                await record_act(connection, act, now)
        return wire.MadeInvitation(id=id, uses=wanted.uses, created_at=now, expires_at=expires_at, token=code)

    async def end_invitation(self, by: str | None, id: str) -> None:
        """End an invitation. Raises NotFound."""
        async with self._database.writing() as connection:
            await lock_admin_log(connection)
            if not ids.is_valid(id) or not await delete_codes(connection, id=id, purpose="invitation"):
                raise NotFound("There is no such invitation.")
            await record_act(connection, HouseActed("invitation_ended", by=by, code=id), self._now())

    async def _use(self, invitation: str | None) -> str:
        if not invitation:
            raise Forbidden("This server takes new players by invitation only.")
        async with self._database.writing() as connection:
            used = await use_code(connection, invitation, "invitation", self._now())
        if used is None:
            raise Forbidden("This invitation is not valid, or not any more.")
        return used.id


def _invitation(one: OneTimeCode) -> wire.Invitation:
    return wire.Invitation(id=one.id, uses=one.uses, created_at=one.created_at, expires_at=one.expires_at)
