"""Acts on players: rename, mute, suspend, ban, sign out everywhere, create a link to set a new password.

Hosts and moderators are exempt until a host has removed their role.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sqlalchemy import delete, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core import ids, username_rules
from cadogan.server.core.dates import LAST_MOMENT, MILLISECONDS_PER_DAY
from cadogan.server.core.errors import BadMessage, Conflict, Forbidden, NameTaken, NotFound
from cadogan.server.database.connections import Database
from cadogan.server.database.tables import name_skeletons, personal_tokens, players, tokens
from cadogan.server.eventlog.events import HouseActed
from cadogan.server.house.house_log import lock_house, record_act
from cadogan.server.house.targets import Target, find_target
from cadogan.server.players.sign_in.account_rows import reserve_skeletons
from cadogan.server.players.sign_in.one_time_codes import make_code
from cadogan.server.players.sign_in.sessions import delete_sessions
from cadogan.server.talk.group_talk import Said, count_change, find_message, remove_message
from cadogan.wire.house import Act, Why

ACCESS_MILLISECONDS = 3 * MILLISECONDS_PER_DAY
"""Milliseconds for which the link to set a new password is valid."""


class AccessCode(NamedTuple):
    """The code in a link that sets a new password, and when it expires."""

    code: str
    expires_at: int


class Moderation:
    """The acts of hosts and moderators on the players of a database. `now` returns milliseconds since 1970.

    In every act, `by` is the id of the actor, None at the command line, and `player` the id of the player it is about.
    Every act raises NotFound for an unknown player, and Forbidden for a host or a moderator.
    """

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now

    async def rename(self, by: str | None, player: str, name: str, why: Why) -> None:
        """Give a player another name.

        Raises BadMessage for a name that is not allowed, NameTaken, and Conflict for a guest.
        """
        shown = username_rules.normalize(name, bot=ids.is_bot(player))
        try:
            async with self._database.writing() as connection:
                target = await _find(connection, player)
                if target.is_guest:
                    raise Conflict("A guest has no name of their own, and no password.")
                if target.name == shown:
                    return
                row = {"name": shown, "name_key": username_rules.name_key(shown)}
                await connection.execute(update(players).where(players.c.id == player).values(row))
                await connection.execute(delete(name_skeletons).where(name_skeletons.c.player == player))
                await reserve_skeletons(connection, player, shown)
                await self._record(connection, "renamed", by, player, why)
        except IntegrityError:
            raise NameTaken("Another player has that name, or one that looks like it.") from None

    async def suspend(self, by: str | None, player: str, until: int | None, why: Why) -> Sequence[str]:
        """Suspend a player until a time in milliseconds since 1970, or with None end the suspension.

        Returns the ids of the sessions, and the hashes of the personal tokens, that are invalid meanwhile. Raises
        BadMessage for a time in the past, and Forbidden for a banned player.
        """
        now = self._now()
        if until is not None and not now < until < LAST_MOMENT:
            raise BadMessage("A suspension ends in the future.")
        async with self._database.writing() as connection:
            target = await _find(connection, player)
            if target.suspended_until == LAST_MOMENT:
                raise Forbidden("This player is banned: only a host may end that.")
            return await self._suspend(connection, target, until, "suspended", by, why)

    async def mute(self, by: str | None, player: str, until: int | None, why: Why) -> None:
        """Stop a player from sending messages and signs until a time, or with None end the mute. Play stays possible.

        Raises BadMessage for a time in the past.
        """
        if until is not None and not self._now() < until < LAST_MOMENT:
            raise BadMessage("A mute ends in the future.")
        async with self._database.writing() as connection:
            target = await _find(connection, player)
            if target.muted_until == until:
                return
            await connection.execute(update(players).where(players.c.id == player).values(muted_until=until))
            await self._record(connection, "unmuted" if until is None else "muted", by, player, why, until)

    async def ban(self, by: str | None, player: str, banned: bool, why: Why) -> Sequence[str]:
        """Ban a player permanently, or end a ban or a suspension. Returns what `suspend` returns."""
        async with self._database.writing() as connection:
            target = await _find(connection, player)
            return await self._suspend(connection, target, LAST_MOMENT if banned else None, "banned", by, why)

    async def sign_out(self, by: str | None, player: str, why: Why) -> Sequence[str]:
        """End every session and personal token of a player, and return their ids and hashes.

        Raises Conflict for a guest, who could not sign in again.
        """
        async with self._database.writing() as connection:
            target = await _find(connection, player)
            if target.is_guest:
                raise Conflict("A guest has no name of their own, and no password.")
            ended = await delete_sessions(connection, player)
            await self._record(connection, "signed_out", by, player, why)
        return ended

    async def reset_access(self, by: str | None, player: str, why: Why) -> AccessCode:
        """Create a code to set a new password, and revoke an earlier code. The password stays valid until then.

        Raises Conflict for a guest and a bot, which have no password.
        """
        now = self._now()
        expires_at = now + ACCESS_MILLISECONDS
        async with self._database.writing() as connection:
            target = await _find(connection, player)
            if target.is_guest or ids.is_bot(player):
                raise Conflict("A guest has no name of their own, and no password.")
            code = await make_code(connection, f"access-{player}", "access", now, expires_at, player)
            await self._record(connection, "access_reset", by, player, why, expires_at)
        return AccessCode(code, expires_at)

    async def remove_message(self, by: str, group: str, message: str) -> tuple[Said, int]:
        """Remove a message from a group; return it, and the serial of the change. Raises NotFound."""
        async with self._database.writing() as connection:
            await lock_house(connection)
            serial, found = await count_change(connection, group), await find_message(connection, message)
            if found is None or found.group != group:
                raise NotFound("There is no such message.")
            removed = await remove_message(connection, found, serial, self._now())
            if not found.removed:
                act = HouseActed("message_removed", by=by, player=found.player)
                await record_act(connection, act, self._now())
        return removed, serial

    async def _suspend(
        self,
        connection: AsyncConnection,
        target: Target,
        until: int | None,
        act: Act,
        by: str | None,
        why: Why,
    ) -> Sequence[str]:
        if target.suspended_until != until:
            await connection.execute(update(players).where(players.c.id == target.id).values(suspended_until=until))
            shown = until if act == "suspended" else None
            await self._record(connection, "restored" if until is None else act, by, target.id, why, shown)
        return [] if until is None else await _sessions(connection, target.id)

    async def _record(
        self, connection: AsyncConnection, act: Act, by: str | None, player: str, why: Why, until: int | None = None
    ) -> None:
        recorded = HouseActed(act, by=by, player=player, until=until, reason=why.reason)
        await record_act(connection, recorded, self._now(), why.note)


async def _find(connection: AsyncConnection, player: str) -> Target:
    await lock_house(connection)
    target = await find_target(connection, player)
    if target.role is not None:
        raise Forbidden("This player is a host or a moderator: take the role away first.")
    return target


async def _sessions(connection: AsyncConnection, player: str) -> list[str]:
    """Return the sessions and personal tokens of a player and of the player's bots."""
    theirs = select(players.c.id).where(or_(players.c.id == player, players.c.owner == player))
    return [
        found
        for table in (tokens, personal_tokens)
        for found in await connection.scalars(select(table.c.hash).where(table.c.player.in_(theirs)))
    ]
