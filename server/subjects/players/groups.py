"""Friends and groups: the players to whom a board can be limited.

A friend is added by name, and need not agree or add the other in return. A group is joined by its link, which holds the
group's token.
"""

import secrets
from collections import defaultdict
from collections.abc import Callable
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core import ids, username_rules
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.statements import accounts_of, lock_person
from cadogan.server.core.database.tables import follows, groups, members, players
from cadogan.server.core.errors import CommandReused, Conflict, Forbidden, NotFound, TooMany

MAX_FRIENDS = 500
"""The maximum number of friends of one player."""
MAX_MEMBERS = 500
"""The maximum number of members of one group."""
MAX_GROUPS = 50
"""The maximum number of groups of one person, a player and their bots together."""


class Group(NamedTuple):
    """A group. Its token lets players join. `members` are the players' ids, in the order in which they joined.

    The first member is the owner, who may enable messages between the members (`has_talk`).
    """

    id: str
    name: str
    token: str
    members: tuple[str, ...]
    has_talk: bool = False


class Groups:
    """The friends and groups in a database. `now` returns the time in milliseconds since 1970."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now

    async def add_friend(self, player: str, name: str) -> None:
        """Add the player with this name to the friends of `player`. Does nothing if they are a friend already.

        Raises NotFound if no other player has this name, and TooMany beyond `MAX_FRIENDS`.
        """
        async with self._database.writing() as connection:
            friend = await _find_named(connection, name)
            if friend is None or friend == player:
                raise NotFound("No other player has this name.")
            await lock_person(connection, player)
            known = set(await connection.scalars(_friends(player)))
            if friend in known:
                return
            if len(known) >= MAX_FRIENDS:
                raise TooMany("One player follows at most {count} others.", count=MAX_FRIENDS)
            row = {"player": player, "friend": friend, "created_at": self._now()}
            await _insert_once(connection, insert(follows).values(row))

    async def remove_friend(self, player: str, name: str) -> None:
        """Remove the player with this name from the friends of `player`. Does nothing if they are not a friend."""
        async with self._database.writing() as connection:
            friend = await _find_named(connection, name)
            own = (follows.c.player == player) & (follows.c.friend == friend)
            await connection.execute(delete(follows).where(own))

    async def find_player(self, name: str) -> str | None:
        """Return the id of the player with this name; None if nobody has it."""
        async with self._database.reading() as connection:
            return await _find_named(connection, name)

    async def friends(self, player: str) -> list[str]:
        """Return the ids of the player's friends, in the order of their names."""
        return [friend for (friend,) in await self._database.fetch(_friends(player))]

    async def create_group(self, player: str, name: str, id: str | None = None) -> Group:
        """Create a group with the player in it, or return the one with this id.

        Raises BadMessage for a name that is not allowed, CommandReused if that group has another name or the player has
        left it, and TooMany beyond `MAX_GROUPS`.
        """
        group, shown, token = id or ids.new_id(), username_rules.normalize_group(name), secrets.token_urlsafe(16)
        row = {"id": group, "name": shown, "token": token, "created_at": self._now()}
        try:
            async with self._database.writing() as connection:
                await connection.execute(insert(groups).values(row))
                await self._add_member(connection, player, group)
            return Group(group, shown, token, (player,))
        except IntegrityError:
            async with self._database.reading() as connection:
                found = await _read_group(connection, groups.c.id == group)
        if found.name != shown or player not in found.members:
            raise CommandReused("This Idempotency-Key has been used for another request.")
        return found

    async def find_by_link(self, token: str) -> Group:
        """Return the group with this token. Raises NotFound."""
        if not token.isprintable():  # PostgreSQL takes no text with a NUL
            raise _no_such_group()
        async with self._database.reading() as connection:
            return await _read_group(connection, groups.c.token == token)

    async def join(self, player: str, token: str) -> Group:
        """Add the player to the group with this token, and return the group. Does nothing for a member.

        Raises NotFound for an unknown token, and TooMany beyond `MAX_MEMBERS` or `MAX_GROUPS`.
        """
        async with self._database.writing() as connection:
            await connection.execute(select(groups.c.id).where(groups.c.token == token).with_for_update())
            group = await _read_group(connection, groups.c.token == token)
            if player not in group.members:
                if len(group.members) >= MAX_MEMBERS:
                    raise TooMany("A group has at most {count} members.", count=MAX_MEMBERS)
                await self._add_member(connection, player, group.id)
            return await _read_group(connection, groups.c.id == group.id)

    async def leave(self, player: str, group: str) -> None:
        """Remove the player from the group with this id. Does nothing if the player is not in it."""
        if not ids.is_valid(group):
            return
        own = (members.c.player == player) & (members.c.group == group)
        async with self._database.writing() as connection:
            await connection.execute(delete(members).where(own))

    async def remove_member(self, player: str, group: str, member: str) -> Group:
        """Remove a member and their bots from a group, and renew its link. Does nothing for a former member.

        Raises NotFound if `player` is not in it, Forbidden if `player` is not its owner, and Conflict if `member` is.
        """
        async with self._database.writing() as connection:
            found = await self._own_group(connection, player, group)
            if member == player:
                raise Conflict("You are the owner of this group: leave it instead.")
            if member not in found.members:
                return found
            theirs = select(players.c.id).where((players.c.id == member) | (players.c.owner == member))
            gone = (members.c.group == group) & members.c.player.in_(theirs)
            await connection.execute(delete(members).where(gone))
            await _renew_link(connection, group)
            return await _read_group(connection, groups.c.id == group)

    async def renew_link(self, player: str, group: str) -> Group:
        """Replace the link of a group with a new one. Raises NotFound and Forbidden as `remove_member`."""
        async with self._database.writing() as connection:
            await self._own_group(connection, player, group)
            await _renew_link(connection, group)
            return await _read_group(connection, groups.c.id == group)

    async def _own_group(self, connection: AsyncConnection, player: str, group: str) -> Group:
        """Return a group that this player owns, and lock it until the transaction ends."""
        await connection.execute(select(groups.c.id).where(groups.c.id == group).with_for_update())
        found = await _read_group(connection, groups.c.id == group)
        if player not in found.members:
            raise NotFound("You are not in such a group.")
        if player != found.members[0]:
            raise Forbidden("Only the owner of the group may do this: who has been in it for the longest time.")
        return found

    async def groups_of(self, player: str) -> list[Group]:
        """Return the groups that a player is in, sorted by name."""
        own = groups.c.id.in_(select(members.c.group).where(members.c.player == player))
        async with self._database.reading() as connection:
            return await _read_groups(connection, own)

    async def members(self, player: str, group: str) -> list[str]:
        """Return the ids of the members of the group with this id. Raises NotFound if the player is not one of them."""
        return list((await self.group(player, group)).members)

    async def members_of(self, group: str) -> list[str]:
        """Return the ids of the members of a group, the owner first; empty if the group does not exist."""
        return [*await self.joined_at(group)]

    async def joined_at(self, group: str) -> dict[str, int]:
        """Return when each member of a group joined it, in milliseconds since 1970, the owner first."""
        own = select(members.c.player, members.c.joined_at).where(members.c.group == group)
        return {row.player: row.joined_at for row in await self._database.fetch(own.order_by(members.c.joined_at))}

    async def require_owner(self, player: str, group: str) -> None:
        """Check that a player is the owner of a group. Raises NotFound for non-members, and Forbidden."""
        if (await self.group(player, group)).members[0] != player:
            raise Forbidden("Only the owner of the group may do this: who has been in it for the longest time.")

    async def group(self, player: str, group: str) -> Group:
        """Return the group with this id. Raises NotFound if the player is not in it."""
        async with self._database.reading() as connection:
            found = await _read_group(connection, groups.c.id == group)
        if player not in found.members:
            raise NotFound("You are not in such a group.")
        return found

    async def find_for_feed(self, group: str, key: str) -> Group | None:
        """Return the group with this id if the key is that of its feeds (`feed_key`); None otherwise."""
        try:
            async with self._database.reading() as connection:
                found = await _read_group(connection, groups.c.id == group)
        except NotFound:
            return None
        return found if secrets.compare_digest(feed_key(found).encode(), key.encode()) else None

    async def _add_member(self, connection: AsyncConnection, player: str, group: str) -> None:
        await lock_person(connection, player)
        mine = select(members.c.group).where(members.c.player.in_(accounts_of(player))).distinct()
        if len({*await connection.scalars(mine)} | {group}) > MAX_GROUPS:
            raise TooMany("One player is in at most {count} groups.", count=MAX_GROUPS)
        latest = await connection.scalar(select(func.max(members.c.joined_at)).where(members.c.group == group))
        after = 0 if latest is None else latest + 1  # so that the owner stays the first member
        row = {"group": group, "player": player, "joined_at": max(self._now(), after)}
        await _insert_once(connection, insert(members).values(row))


def feed_key(group: Group) -> str:
    """Return the secret part of the addresses of a group's feeds: it follows from its link, and changes with it."""
    return ids.derive_id(group.token.encode(), "feeds", group.id)


async def _renew_link(connection: AsyncConnection, group: str) -> None:
    await connection.execute(update(groups).where(groups.c.id == group).values(token=secrets.token_urlsafe(16)))


async def _insert_once(connection: AsyncConnection, row: Any) -> None:
    """Insert a row. Does nothing if a concurrent request has inserted the same row."""
    try:
        async with connection.begin_nested():
            await connection.execute(row)
    except IntegrityError:
        return


def _friends(player: str) -> Any:
    whom = select(follows.c.friend).join(players, players.c.id == follows.c.friend).where(follows.c.player == player)
    return whom.order_by(players.c.name_key, players.c.id)


async def _find_named(connection: AsyncConnection, name: str) -> str | None:
    found: str | None = await connection.scalar(
        select(players.c.id).where(players.c.name_key == username_rules.name_key(name))
    )
    return found


async def _read_group(connection: AsyncConnection, condition: ColumnElement[bool]) -> Group:
    found = await _read_groups(connection, condition)
    if not found:
        raise _no_such_group()
    return found[0]


def _no_such_group() -> NotFound:
    return NotFound("There is no such group.")


async def _read_groups(connection: AsyncConnection, condition: ColumnElement[bool]) -> list[Group]:
    """Return the groups that fulfil a condition, sorted by name, each with its members in the order they joined."""
    rows = (await connection.execute(select(groups).where(condition).order_by(groups.c.name, groups.c.id))).all()
    inside = select(members.c.group, members.c.player).join(groups, members.c.group == groups.c.id).where(condition)
    joined = defaultdict[str, list[str]](list)
    for row in await connection.execute(inside.order_by(members.c.joined_at, members.c.player)):
        joined[row.group].append(row.player)
    return [Group(row.id, row.name, row.token, tuple(joined[row.id]), row.talk_since is not None) for row in rows]
