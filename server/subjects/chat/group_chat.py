"""The messages of groups, the allowed texts, and the muted players.

Messages between the members of groups, if the owner of the group allows them.

Messages are deleted after `RETENTION_MILLISECONDS`, or when their writer is erased. Every change of a group's talk has
a serial number, by which each node finds the changes that it has not sent yet.
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Row, Select, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core import ids
from cadogan.server.core.clock import Clock
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.statements import lock_person
from cadogan.server.core.database.tables import groups, members, messages, players
from cadogan.server.core.dates import MILLISECONDS_PER_DAY, moment_text
from cadogan.server.core.errors import BadMessage, CommandReused, Conflict, Forbidden, Muted, NotFound, RateLimited
from cadogan.server.core.untrusted_input import has_unseen_characters
from cadogan.wire.chat import MAX_TEXT_LENGTH

RETENTION_MILLISECONDS = 30 * MILLISECONDS_PER_DAY
MAX_MESSAGES = 500
"""The maximum number of stored messages of one group; a new one deletes the earliest."""
MESSAGE_LIMITS = ((5, 10_000), (100, 3_600_000))
"""Rate limits of one player in all groups together: messages, and the milliseconds in which they may be written."""
CHANGES_AT_ONCE = 100


class StoredMessage(NamedTuple):
    """A stored message. `player` is the writer's id; a removed message has no text."""

    id: str
    group: str
    player: str
    text: str
    said_at: int
    removed: bool


class Page(NamedTuple):
    """Messages of a group, the earliest first; whether there are earlier ones; and the serial of the last change."""

    on: bool
    serial: int
    messages: list[StoredMessage]
    more: bool


class Changes(NamedTuple):
    """The changes of a group up to `serial`, and the ids of its members; `more` is whether later changes exist."""

    on: bool
    members: frozenset[str]
    serial: int
    messages: list[StoredMessage]
    more: bool


class GroupChat:
    """The talk in a database. `now` returns the time in milliseconds since 1970."""

    def __init__(self, database: Database, now: Clock) -> None:
        self._database = database
        self._mutes = Mutes(database, now)
        self._now = now

    async def switch(self, player: str, group: str, on: bool) -> int:
        """Enable a group's talk, or disable it and delete all its messages; return the serial.

        Raises NotFound if the player is not a member, and Forbidden for a member who is not the owner.
        """
        async with self._database.writing() as connection:
            serial = await count_change(connection, group)
            row = await _find_group(connection, player, group)
            if row.owner != player:
                raise Forbidden("Only the owner of the group may do this: who has been in it for the longest time.")
            if on != (row.talk_since is not None):
                since = self._now() if on else None
                await connection.execute(update(groups).where(groups.c.id == group).values(talk_since=since))
                await connection.execute(delete(messages).where(messages.c.group == group))
            return serial

    async def read(self, player: str, group: str, before: str | None, limit: int) -> Page:
        """Return the latest messages, or the latest before the message `before`. Raises NotFound for non-members."""
        async with self._database.reading() as connection:
            row = await _find_group(connection, player, group)
            chosen = self._select_current(group)
            if before is not None:
                earlier = select(messages.c.said_at).where(messages.c.id == before, messages.c.group == group)
                at = await connection.scalar(earlier)
                if at is None:
                    raise NotFound("There is no such message.")
                chosen = chosen.where(
                    (messages.c.said_at < at) | ((messages.c.said_at == at) & (messages.c.id < before))
                )
            chosen = chosen.order_by(messages.c.said_at.desc(), messages.c.id.desc()).limit(limit + 1)
            found = [_as_message(one) for one in await connection.execute(chosen)]
        return Page(
            row.talk_since is not None, row.talk_serial, found[limit - 1 :: -1] if limit else [], len(found) > limit
        )

    async def write(self, player: str, group: str, text: str, id: str) -> tuple[StoredMessage, int]:
        """Store a message, or find the one with this id; return it and the serial.

        Raises NotFound for non-members, Conflict while the group's talk is disabled, Forbidden for guests and bots,
        Muted, BadMessage as `clean_text`, RateLimited beyond `MESSAGE_LIMITS`, and CommandReused if another message has
        the id.
        """
        shown = clean_text(text)
        await self._mutes.require_not_muted(player)
        async with self._database.writing() as connection:
            serial = await count_change(connection, group)
            row = await _find_group(connection, player, group)
            if row.talk_since is None:
                raise Conflict("Nobody can write in this group: its owner has not switched that on.")
            if ids.is_bot(player) or not await _has_account(connection, player):
                raise Forbidden("Create an account to write to others.")
            known = (await connection.execute(select(messages).where(messages.c.id == id))).one_or_none()
            if known is not None:
                if (known.player, known.group) != (player, group) or known.text not in (shown, ""):
                    raise CommandReused("This Idempotency-Key has been used for another request.")
                return _as_message(known), serial
            now = self._now()
            await _require_message_rate(connection, player, now)
            values = {"id": id, "group": group, "serial": serial, "player": player, "text": shown, "said_at": now}
            await connection.execute(insert(messages).values(values))
            await _keep_last(connection, group)
            return StoredMessage(id, group, player, shown, now, removed=False), serial

    async def remove(self, player: str, group: str, message: str) -> tuple[StoredMessage, int]:
        """Remove a message as its writer or as the owner of the group; return it and the serial.

        Raises NotFound for non-members, and Forbidden for other players' messages.
        """
        async with self._database.writing() as connection:
            serial = await count_change(connection, group)
            row, found = await _find_group(connection, player, group), await find_message(connection, message)
            if found is None or found.group != group:
                raise NotFound("There is no such message.")
            if player not in (found.player, row.owner):
                raise Forbidden("Only who wrote a message, the owner of the group and moderators may remove it.")
            return await remove_message(connection, found, serial, self._now()), serial

    async def changes(self, group: str, after: int) -> Changes:
        """Return the changes of a group after a serial, the earliest first; none if the group does not exist."""
        chosen = self._select_current(group).where(messages.c.serial > after).order_by(messages.c.serial)
        async with self._database.reading() as connection:
            row = (await connection.execute(select(groups).where(groups.c.id == group))).one_or_none()
            if row is None:
                return Changes(False, frozenset(), after, [], more=False)
            inside = frozenset(await connection.scalars(select(members.c.player).where(members.c.group == group)))
            found = list(await connection.execute(chosen.limit(CHANGES_AT_ONCE)))
        more = len(found) == CHANGES_AT_ONCE
        serial = found[-1].serial if more else max(after, row.talk_serial)
        return Changes(row.talk_since is not None, inside, serial, [_as_message(one) for one in found], more)

    async def clear_old(self) -> None:
        """Delete the messages older than `KEPT_MILLISECONDS`."""
        async with self._database.writing() as connection:
            await connection.execute(delete(messages).where(messages.c.said_at <= self._now() - RETENTION_MILLISECONDS))

    def _select_current(self, group: str) -> Select[Any]:
        return select(messages).where(
            messages.c.group == group, messages.c.said_at > self._now() - RETENTION_MILLISECONDS
        )


async def find_message(connection: AsyncConnection, message: str) -> StoredMessage | None:
    """Return the message with this id; None if there is none."""
    row = (await connection.execute(select(messages).where(messages.c.id == message))).one_or_none()
    return _as_message(row) if row is not None else None


async def remove_message(connection: AsyncConnection, found: StoredMessage, serial: int, at: int) -> StoredMessage:
    """Delete the text of a message. Does nothing if it is removed already."""
    if not found.removed:
        removal = update(messages).where(messages.c.id == found.id).values(text="", removed_at=at, serial=serial)
        await connection.execute(removal)
    return found._replace(text="", removed=True)


async def count_change(connection: AsyncConnection, group: str) -> int:
    """Increment the group's serial and return it. This locks the group until the transaction ends."""
    if not ids.is_valid(group):
        raise NotFound("You are not in such a group.")
    this = groups.c.id == group
    await connection.execute(update(groups).where(this).values(talk_serial=groups.c.talk_serial + 1))
    return await connection.scalar(select(groups.c.talk_serial).where(this)) or 0


async def _find_group(connection: AsyncConnection, player: str, group: str) -> Row[Any]:
    """Return the row of a group with the id of its `owner`. Raises NotFound for non-members."""
    all_members = members.alias()
    first = select(all_members.c.player).where(all_members.c.group == groups.c.id)
    owner = first.order_by(all_members.c.joined_at, all_members.c.player).limit(1).scalar_subquery().label("owner")
    mine = (members.c.group == groups.c.id) & (members.c.player == player)
    chosen = select(groups.c.talk_since, groups.c.talk_serial, owner).join(members, mine)
    row = (await connection.execute(chosen.where(groups.c.id == group))).one_or_none() if ids.is_valid(group) else None
    if row is None:
        raise NotFound("You are not in such a group.")
    return row


async def _has_account(connection: AsyncConnection, player: str) -> bool:
    return await connection.scalar(select(players.c.name_key).where(players.c.id == player)) is not None


async def _require_message_rate(connection: AsyncConnection, player: str, now: int) -> None:
    await lock_person(connection, player)  # who writes in several groups at once
    most, longest = MESSAGE_LIMITS[-1]
    chosen = select(messages.c.said_at).where(messages.c.player == player, messages.c.said_at > now - longest)
    lately: Sequence[int] = list(await connection.scalars(chosen.order_by(messages.c.said_at.desc()).limit(most)))
    for count, span in MESSAGE_LIMITS:
        if len(lately) >= count and (wait := lately[count - 1] + span - now) > 0:
            raise RateLimited("Too fast: wait a little and try again.", retry_after=wait / 1000)


async def _keep_last(connection: AsyncConnection, group: str) -> None:
    if (await connection.scalar(select(func.count()).where(messages.c.group == group)) or 0) > MAX_MESSAGES:
        latest = messages.c.said_at.desc(), messages.c.id.desc()
        surplus = select(messages.c.id).where(messages.c.group == group).order_by(*latest).offset(MAX_MESSAGES)
        await connection.execute(delete(messages).where(messages.c.id.in_(list(await connection.scalars(surplus)))))


def _as_message(row: Row[Any]) -> StoredMessage:
    return StoredMessage(row.id, row.group, row.player, row.text, row.said_at, row.removed_at is not None)


MAX_MARKS = 4
"""The maximum number of combining marks on one letter, so that no text covers the lines above it."""


def clean_text(text: str) -> str:
    r"""Return a normalized text: one line, in Unicode NFC, with single spaces.

    >>> clean_text("  Well\nplayed,   Zoe\u0308! ")
    'Well played, Zoë!'

    Raises BadMessage for a text that is too long, has no visible character, or has forbidden invisible ones.
    """
    shown = " ".join(unicodedata.normalize("NFC", text).split())
    if len(shown) > MAX_TEXT_LENGTH:
        raise BadMessage("A message has at most {count} characters.", count=MAX_TEXT_LENGTH)
    if has_unseen_characters(shown):
        raise BadMessage("The message has characters that cannot be shown.")
    kinds = "".join(unicodedata.category(letter)[0] for letter in shown)
    if not re.search("[LNPS]", kinds) or re.search(f"M{{{MAX_MARKS + 1}}}", kinds):
        raise BadMessage("The message has characters that cannot be shown.")
    return shown


class Mutes:
    """The mutes in a database. `now` returns the time in milliseconds since 1970."""

    def __init__(self, database: Database, now: Clock) -> None:
        self._database = database
        self._now = now

    async def require_not_muted(self, player: str) -> None:
        """Check that neither the player with this id nor, for a bot, the owner is muted. Raises Muted."""
        owner = select(players.c.owner).where(players.c.id == player).scalar_subquery()
        wanted = select(func.max(players.c.muted_until)).where(or_(players.c.id == player, players.c.id == owner))
        until = await self._database.fetch_value(wanted)
        if until is not None and until > self._now():
            raise Muted("You cannot write to others until {until}.", until=moment_text(until))
