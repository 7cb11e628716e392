"""The data of a player: settings, the export of all personal data, and erasure.

Erasure of players: all personal data is deleted; their runs, the log and every proof stay unchanged.

The bots of a player are erased with the player.

The web page settings of players: one row for each player, erased with the account; the last writer wins.

The personal data in each table: what erasing a player deletes, and what an export of own data contains.

Every table is listed once: its rows are `Erased` with the player named in a column, or `Retained` because they hold
only the player's id, or the table is `IMPERSONAL`. `tests/server/database` fails for an unlisted table, and for an
unlisted column that refers to a player.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import delete, insert, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core import ids
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.statements import upsert
from cadogan.server.core.database.tables import (
    erased,
    games,
    groups,
    members,
    metadata,
    personal_tokens,
    players,
    settings,
    tokens,
)
from cadogan.wire.codec import UnreadableMessage, decode_body, encode
from cadogan.wire.settings import Settings

MAX_PAGE = 100
"""The number of game ids that are read at a time."""


class OwnData:
    """Reads a player's data from a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def rows(self, player: str) -> dict[str, list[dict[str, Any]]]:
        """Return the rows about the player with this id, by table: the columns that `PERSONAL_DATA` shows."""
        found: dict[str, list[dict[str, Any]]] = {}
        async with self._database.reading() as connection:
            for name, about in PERSONAL_DATA.items():
                if not about.shown:
                    continue
                table = metadata.tables[name]
                chosen = select(*(table.c[column] for column in about.shown)).where(table.c[about.players[0]] == player)
                rows = await connection.execute(chosen.order_by(*table.primary_key))
                if kept := [dict(row._mapping) for row in rows]:
                    found[name] = kept
        return found

    async def finished_games(self, player: str, after: str) -> list[str]:
        """Return the ids of the player's finished games, sorted: the next `MAX_PAGE` after the id `after`."""
        over = select(games.c.id).where(games.c.player == player, games.c.finished_at.is_not(None), games.c.id > after)
        async with self._database.reading() as connection:
            return list(await connection.scalars(over.order_by(games.c.id).limit(MAX_PAGE)))


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


class PlayerSettings:
    """The settings of the players in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def load(self, player: str) -> Settings | None:
        """Return the player's settings; None if none are stored, or if this version cannot read them."""
        wanted = select(settings.c.chosen).where(settings.c.player == player)
        chosen = await self._database.fetch_value(wanted)
        try:
            return None if chosen is None else decode_body(Settings, chosen.encode())
        except UnreadableMessage:
            return None

    async def save(self, player: str, chosen: Settings) -> None:
        """Store the player's settings in place of earlier ones."""
        row = {"player": player, "chosen": encode(chosen).decode()}
        async with self._database.writing() as connection:
            await connection.execute(upsert(settings, connection.dialect), row)


@dataclass(frozen=True)
class Erased:
    """A table whose rows are deleted with the player whose id is in one of the columns `players`.

    An export of own data contains the columns `shown` of the rows with the id in the first column of `players`.
    """

    players: tuple[str, ...]
    shown: tuple[str, ...] = ()


@dataclass(frozen=True)
class Retained:
    """A table whose rows stay when a player is erased, and why they may. They hold the player's id, and no name."""

    players: tuple[str, ...]
    why: str
    shown: tuple[str, ...] = ()


_FOLLOWS_FROM_LOG = "follows from the log"
PERSONAL_DATA: Mapping[str, Erased | Retained] = {
    "players": Erased(("id", "owner"), ("created_at", "claimed_at", "role", "suspended_until", "muted_until")),
    "name_skeletons": Erased(("player",)),
    "tokens": Erased(("player",), ("created_at", "expires_at", "used_at", "browser", "system")),
    "recovery_codes": Erased(("player",), ("created_at",)),
    "mail_addresses": Erased(("player",), ("address", "language", "confirmed_at")),
    "waiting_mails": Erased(("player",), ("asked_at",)),
    "passkeys": Erased(("player",), ("name", "created_at", "used_at")),
    "oidc_subjects": Erased(("player",), ("issuer", "subject", "created_at")),
    "personal_tokens": Erased(("player",), ("name", "scopes", "created_at", "expires_at")),
    "settings": Erased(("player",), ("chosen",)),
    "one_time_codes": Erased(("player",), ("purpose", "created_at", "expires_at")),
    "house_notes": Erased(("player",)),  # not exported: a note may be about others as well
    "reports": Erased(
        ("reporter", "player"), ("player", "game", "reason", "text", "quoted", "reported_at", "settled_at")
    ),
    "notification_devices": Erased(
        ("player",),
        ("endpoint", "topics", "language", "time_zone", "quiet_from", "quiet_until", "created_at", "delivered_at"),
    ),
    "notifications": Erased(("player",), ("kind", "about", "created_at")),
    "notified_ranks": Erased(("player",), ("day", "rank", "told", "told_at")),
    "digest_readers": Erased(("player",), ("language", "created_at", "problem")),
    "follows": Erased(("player", "friend"), ("friend", "created_at")),
    "messages": Erased(("player",), ("group", "text", "said_at", "removed_at")),
    "signs": Erased(("player",), ("place", "sign", "given_at")),
    "members": Erased(("player",), ("group", "joined_at")),
    "events": Retained((), "the log names players by their ids only, and every proof is about it"),
    "games": Retained(
        ("player",),
        _FOLLOWS_FROM_LOG,
        (
            "id",
            "game",
            "deal",
            "day",
            "slot",
            "match",
            "ranked",
            "status",
            "score",
            "moves",
            "started_at",
            "finished_at",
        ),
    ),
    "entries": Retained(("player",), _FOLLOWS_FROM_LOG),
    "strikes": Retained(("player",), _FOLLOWS_FROM_LOG),
    "totals": Retained(("player",), _FOLLOWS_FROM_LOG),
    "races": Retained(("host",), _FOLLOWS_FROM_LOG),
    "contests": Retained(("leader", "opponent"), _FOLLOWS_FROM_LOG),
    "ratings": Retained(("player",), _FOLLOWS_FROM_LOG),
    "evening_names": Erased(("player",), ("evening", "name")),
    "analyses": Retained(
        ("person",), "an analysis is about a game, and for everybody", ("game", "version", "asked_at")
    ),
    "contributions": Retained(
        ("player", "person"),
        "what was not checked yet is still checked, and deleted after 90 days",
        ("game", "taken_at", "state", "checked"),
    ),
    "erased": Retained(("player",), "it says who must not come back with an older backup", ("erased_at",)),
}
IMPERSONAL: Collection[str] = {
    "house",
    "groups",
    "deals",
    "days",
    "certificates",
    "buckets",
    "positions",
    "house_settings",
    "webhooks",
    "deliveries",
    "news",
    "findings",
    "notification_keys",
    "log_queue",
    "log_entries",
    "log_tiles",
    "log_heads",
    "feed_cursors",
    "pulse",
    "witnessed_logs",
    "archives",
    "archived_games",
}
"""Tables without data of a single player. A group is deleted with its last member."""
