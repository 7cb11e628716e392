"""Erasure of players: all personal data is deleted; their runs, the log and every proof stay unchanged.

`cadogan.server.database.personal_data` defines it for every table. The bots of a player are erased with the player.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from sqlalchemy import delete, insert, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core import ids
from cadogan.server.database.personal_data import PERSONAL_DATA, Erased
from cadogan.server.database.tables import erased, groups, members, metadata, personal_tokens, players, tokens

_LINE = re.compile(r"(\S+) (\d{1,15})")


class ErasedPlayer(NamedTuple):
    """A player who was erased, and when, in milliseconds since 1970."""

    player: str
    at: int


class UnreadableList(ValueError):
    """A list of erased players has an invalid line, which the text quotes."""


async def erase_players(connection: AsyncConnection, wanted: Iterable[ErasedPlayer]) -> tuple[str, ...]:
    """Erase these players and their bots, and return the ids of the revoked sessions and hashes of the revoked tokens.

    Players who are erased already are skipped.
    """
    moments = {one.player: one.at for one in wanted}
    if not moments:
        return ()
    owned = select(players.c.id, players.c.owner).where(players.c.owner.in_(moments))
    moments |= {row.id: moments[row.owner] for row in await connection.execute(owned) if row.id not in moments}
    await connection.execute(select(players.c.id).where(players.c.id.in_(moments)).order_by("id").with_for_update())
    ended = await _sessions(connection, moments)
    left = await _groups(connection, moments)
    for table in reversed(metadata.sorted_tables):
        about = PERSONAL_DATA.get(table.name)
        if isinstance(about, Erased):
            theirs = or_(*(table.c[column].in_(moments) for column in about.players))
            await connection.execute(delete(table).where(theirs))
    has_members = select(members.c.player).where(members.c.group == groups.c.id)
    await connection.execute(delete(groups).where(groups.c.id.in_(left), ~has_members.exists()))
    known = set(await connection.scalars(select(erased.c.player).where(erased.c.player.in_(moments))))
    rows = [{"player": player, "erased_at": at} for player, at in moments.items() if player not in known]
    if rows:
        await connection.execute(insert(erased), rows)
    return ended


async def erased_players(connection: AsyncConnection) -> list[ErasedPlayer]:
    """Return everybody who was erased, sorted by id."""
    rows = await connection.execute(select(erased).order_by(erased.c.player))
    return [ErasedPlayer(row.player, row.erased_at) for row in rows]


def list_line(one: ErasedPlayer) -> str:
    """Return a line of the list of erased players that is stored beside backups.

    >>> list_line(ErasedPlayer("m3x5q7a2b4c6d2ef", 1795176000000))
    'm3x5q7a2b4c6d2ef 1795176000000'
    """
    return f"{one.player} {one.at}"


def read_list(lines: Sequence[str]) -> list[ErasedPlayer]:
    """Parse the lines of such a list. Raises UnreadableList.

    >>> read_list(["m3x5q7a2b4c6d2ef 1795176000000"])
    [ErasedPlayer(player='m3x5q7a2b4c6d2ef', at=1795176000000)]
    """
    found = []
    for number, line in enumerate(lines, 1):
        read = _LINE.fullmatch(line.strip())
        if read is None or not ids.is_valid(read[1]):
            raise UnreadableList(f"line {number} is no id of a player with a time: {line.strip()[:80]!r}")
        found.append(ErasedPlayer(read[1], int(read[2])))
    return found


async def _sessions(connection: AsyncConnection, wanted: Collection[str]) -> tuple[str, ...]:
    ended: list[str] = []
    for table in (tokens, personal_tokens):
        ended += (await connection.execute(select(table.c.hash).where(table.c.player.in_(wanted)))).scalars()
    return tuple(ended)


async def _groups(connection: AsyncConnection, wanted: Collection[str]) -> list[str]:
    return list(await connection.scalars(select(members.c.group).where(members.c.player.in_(wanted))))
