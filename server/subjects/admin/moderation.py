"""Acts on players, the list in which hosts find them, and erasing them.

Acts on players: rename, mute, suspend, ban, sign out everywhere, create a link to set a new password.

Hosts and moderators are exempt until a host has removed their role.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import structlog
from sqlalchemy import Row, and_, delete, func, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core import ids, username_rules
from cadogan.server.core.clock import Clock
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import games, members, name_skeletons, personal_tokens, players, tokens
from cadogan.server.core.dates import LAST_MOMENT, MILLISECONDS_PER_DAY
from cadogan.server.core.errors import BadMessage, Conflict, Forbidden, NameTaken, NotFound
from cadogan.server.core.eventlog.events import HouseActed
from cadogan.server.core.people import delete_sessions
from cadogan.server.core.username_rules import GUEST_ID_LETTERS, guest_name, name_key
from cadogan.server.subjects.accounts.account_rows import reserve_skeletons
from cadogan.server.subjects.accounts.codes import make_code
from cadogan.server.subjects.admin.admin_log import Target, find_target, lock_admin_log, record_act
from cadogan.server.subjects.chat.group_chat import StoredMessage, count_change, find_message, remove_message
from cadogan.server.subjects.players.own_data import ErasedPlayer, erase_players, erased_players
from cadogan.wire.admin import Act, PlayerForStaff, PlayersForStaff, Why
from cadogan.wire.values import Player

log = structlog.stdlib.get_logger("cadogan")
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

    async def remove_message(self, by: str, group: str, message: str) -> tuple[StoredMessage, int]:
        """Remove a message from a group; return it, and the serial of the change. Raises NotFound."""
        async with self._database.writing() as connection:
            await lock_admin_log(connection)
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
    await lock_admin_log(connection)
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


_LAST_CHARACTER = "\U0010ffff"
_GUEST = name_key(guest_name(""))


class PlayerList:
    """The players of a database. `now` returns the time in milliseconds since 1970."""

    def __init__(self, database: Database, now: Clock) -> None:
        self._database = database
        self._now = now

    async def find(self, name: str, offset: int, limit: int) -> PlayersForStaff:
        """Return the players with this name prefix (normalized) or this id, sorted by name."""
        key = name_key(name)
        begins = and_(players.c.name_key >= key, players.c.name_key < key + _LAST_CHARACTER)
        chosen = [players.c.id == name, begins]
        if key.startswith(_GUEST):
            letters = key.removeprefix(_GUEST).strip()[:GUEST_ID_LETTERS]
            of_guest = and_(players.c.id >= letters, players.c.id < letters + _LAST_CHARACTER)
            chosen.append(and_(players.c.name_key.is_(None), of_guest))
        order = (players.c.name_key.is_(None), players.c.name_key, players.c.id)
        wanted = select(players).order_by(*order).offset(offset).limit(limit + 1)
        rows = await self._database.fetch(wanted.where(or_(*chosen)) if name else wanted)
        now = self._now()
        return PlayersForStaff(players=[_shown(row, now) for row in rows[:limit]], more=len(rows) > limit)

    async def named(self, name: str) -> str:
        """Return the id of the player with this name or id. Raises NotFound."""
        wanted = select(players.c.id).where(or_(players.c.id == name, players.c.name_key == name_key(name)))
        async with self._database.reading() as connection:
            found: str | None = (await connection.scalars(wanted.order_by(players.c.id != name))).first()
        if found is None:
            raise NotFound("There is no such player.")
        return found

    async def player(self, player: str) -> PlayerForStaff:
        """Return the player with this id. Raises NotFound."""
        row = await self._database.fetch_one(select(players).where(players.c.id == player))
        if row is None:
            raise NotFound("There is no such player.")
        return _shown(row, self._now())


def _shown(row: Row[tuple[Any, ...]], now: int) -> PlayerForStaff:
    until, muted_until = (
        moment if moment is not None and moment > now else None for moment in (row.suspended_until, row.muted_until)
    )
    return PlayerForStaff(
        player=Player(id=row.id, name=row.name, guest=row.name_key is None, bot=ids.is_bot(row.id)),
        created_at=row.created_at,
        role=row.role,
        suspended_until=None if until == LAST_MOMENT else until,
        banned=until == LAST_MOMENT,
        muted_until=muted_until,
    )


class Erasure:
    """Erases players of a database. `now` returns the time in milliseconds since 1970."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now

    async def erase(self, by: str | None, player: str, reason: str) -> tuple[str, ...]:
        """Erase a player with their bots, and return the ids of the revoked sessions and hashes of the revoked tokens.

        `by` is the id of the actor, the player or a host; None at the command line. Raises NotFound, Forbidden if
        somebody else erases a host or a moderator, and Conflict for a bot and for the only host.
        """
        now = self._now()
        async with self._database.writing() as connection:
            await lock_admin_log(connection)
            target = await find_target(connection, player)
            if ids.is_bot(player):
                raise Conflict("A bot is erased with its owner: shut it down instead.")
            if target.role is not None and by != player:
                raise Forbidden("This player is a host or a moderator: take the role away first.")
            hosts = select(func.count()).select_from(players).where(players.c.role == "host")
            if target.role == "host" and await connection.scalar(hosts) == 1:
                raise Conflict("This is the only host: make somebody else a host first.")
            ended = await erase_players(connection, [ErasedPlayer(player, now)])
            await record_act(connection, HouseActed("erased", by=by, player=player, reason=reason), now)
        await self._database.overwrite_deleted()
        log.info("player_erased", player=player)
        return ended

    async def clear_old(self) -> None:
        """Delete some of the old guests who never played: see `clear_idle_guests`."""
        await clear_idle_guests(self._database, self._now())

    async def erased(self) -> list[ErasedPlayer]:
        """Return everybody who was erased, sorted by id."""
        async with self._database.reading() as connection:
            return await erased_players(connection)


IDLE_MILLISECONDS = 30 * MILLISECONDS_PER_DAY
"""Milliseconds after which a guest who has begun no game is deleted."""
CLEARED_AT_ONCE = 500


async def clear_idle_guests(database: Database, now: int) -> int:
    """Delete some of the guests older than `IDLE_MILLISECONDS` who never began a game; return how many.

    `now` is in milliseconds since 1970. Their names are shown nowhere, except in groups.
    """
    played = select(games.c.id).where(games.c.player == players.c.id)
    joined = select(members.c.player).where(members.c.player == players.c.id)
    idle = select(players.c.id).where(
        players.c.name_key.is_(None),
        players.c.role.is_(None),
        players.c.suspended_until.is_(None),
        players.c.muted_until.is_(None),
        players.c.created_at <= now - IDLE_MILLISECONDS,
        ~played.exists(),
        ~joined.exists(),
    )
    async with database.writing() as connection:
        chosen = delete(players).where(players.c.id.in_(idle.limit(CLEARED_AT_ONCE)))
        return (await connection.execute(chosen)).rowcount
