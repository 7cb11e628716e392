"""Friends and groups: with whom one compares oneself. One follows a player by name, and joins a group by its link."""

import secrets
from collections.abc import Callable
from typing import Any, NamedTuple

from sqlalchemy import delete, func, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from server.core import ids, username_rules
from server.core.errors import NotFound, TooMany
from server.database.connections import Database
from server.database.tables import follows, groups, members, players

MOST_FRIENDS = 500
MOST_MEMBERS = 500
MOST_GROUPS = 50
"""How many groups one player may be in."""


class Group(NamedTuple):
    """A group: whoever has its token may join. `members` are players' ids, in the order in which they joined."""

    id: str
    name: str
    token: str
    members: tuple[str, ...]


class Groups:
    """The friends and groups of a database; `now` gives the time in milliseconds since 1970."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now

    async def follow(self, player: str, name: str) -> None:
        """Make somebody a friend of the player's; once is enough. Raises NotFound or TooMany."""
        async with self._database.writing() as connection:
            friend = await _named(connection, name)
            if friend is None or friend == player:
                raise NotFound("No other player has this name.")
            known = set(await connection.scalars(_friends(player)))
            if friend in known:
                return
            if len(known) >= MOST_FRIENDS:
                raise TooMany("One player follows at most {count} others.", count=MOST_FRIENDS)
            row = {"player": player, "friend": friend, "created_at": self._now()}
            await _put(connection, insert(follows).values(row))

    async def unfollow(self, player: str, name: str) -> None:
        """Make somebody a friend no longer; whoever is none stays none."""
        async with self._database.writing() as connection:
            friend = await _named(connection, name)
            own = (follows.c.player == player) & (follows.c.friend == friend)
            await connection.execute(delete(follows).where(own))

    async def friends(self, player: str) -> list[str]:
        """The ids of those whom the player follows, in the order of their names."""
        async with self._database.reading() as connection:
            return list(await connection.scalars(_friends(player)))

    async def make(self, player: str, name: str) -> Group:
        """A new group with the player in it. Raises BadMessage for a name that cannot be, or TooMany."""
        group, shown, token = ids.new_id(), username_rules.normalize_group(name), secrets.token_urlsafe(16)
        row = {"id": group, "name": shown, "token": token, "created_at": self._now()}
        async with self._database.writing() as connection:
            await connection.execute(insert(groups).values(row))
            await self._let_in(connection, player, group)
        return Group(group, shown, token, (player,))

    async def join(self, player: str, token: str) -> Group:
        """The group of this token, with the player in it. Raises NotFound or TooMany."""
        async with self._database.writing() as connection:
            group = await _group(connection, groups.c.token == token)
            if player not in group.members:
                if len(group.members) >= MOST_MEMBERS:
                    raise TooMany("A group has at most {count} members.", count=MOST_MEMBERS)
                await self._let_in(connection, player, group.id)
            return await _group(connection, groups.c.id == group.id)

    async def leave(self, player: str, group: str) -> None:
        """Take the player out of a group; whoever is not in it stays out."""
        if not ids.is_valid(group):
            return
        own = (members.c.player == player) & (members.c.group == group)
        async with self._database.writing() as connection:
            await connection.execute(delete(members).where(own))

    async def of(self, player: str) -> list[Group]:
        """The groups that a player is in, by their names."""
        mine = select(groups.c.id).join(members, members.c.group == groups.c.id).where(members.c.player == player)
        async with self._database.reading() as connection:
            found = (await connection.scalars(mine.order_by(groups.c.name, groups.c.id))).all()
            return [await _group(connection, groups.c.id == group) for group in found]

    async def members(self, player: str, group: str) -> list[str]:
        """The ids of a group's members. Raises NotFound if the player is not one of them."""
        async with self._database.reading() as connection:
            found = await _group(connection, groups.c.id == group)
        if player not in found.members:
            raise NotFound("You are in no such group.")
        return list(found.members)

    async def _let_in(self, connection: AsyncConnection, player: str, group: str) -> None:
        mine = select(func.count()).select_from(members).where(members.c.player == player)
        if (await connection.scalar(mine) or 0) >= MOST_GROUPS:
            raise TooMany("One player is in at most {count} groups.", count=MOST_GROUPS)
        row = {"group": group, "player": player, "joined_at": self._now()}
        await _put(connection, insert(members).values(row))


async def _put(connection: AsyncConnection, row: Any) -> None:
    """Write a row, unless it has been written at the same moment."""
    try:
        async with connection.begin_nested():
            await connection.execute(row)
    except IntegrityError:
        return


def _friends(player: str) -> Any:
    whom = select(follows.c.friend).join(players, players.c.id == follows.c.friend).where(follows.c.player == player)
    return whom.order_by(players.c.name_key, players.c.id)


async def _named(connection: AsyncConnection, name: str) -> str | None:
    found: str | None = await connection.scalar(
        select(players.c.id).where(players.c.name_key == username_rules.name_key(name))
    )
    return found


async def _group(connection: AsyncConnection, which: Any) -> Group:
    row = (await connection.execute(select(groups.c.id, groups.c.name, groups.c.token).where(which))).one_or_none()
    if row is None:
        raise NotFound("There is no such group.")
    inside = select(members.c.player).where(members.c.group == row.id).order_by(members.c.joined_at, members.c.player)
    return Group(row.id, row.name, row.token, tuple(await connection.scalars(inside)))
