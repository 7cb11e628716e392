"""The history browser of hosts and moderators: events of a game, day, race or player, or one event by its hash.

The visibility rules are those of every viewer. If the viewer may see only the meter of a game, the events show only
that something happened, and when. Hashes and data are shown once the record is public, because a hash over hidden cards
could be used to test guesses. Showing cards here counts as a view of the game, and is logged.
"""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from msgspec import json, to_builtins
from sqlalchemy import ColumnElement, Row, Select, and_, or_, select

from cadogan.server.core import dates, ids
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import events, games
from cadogan.server.core.errors import BadMessage, NotFound
from cadogan.server.core.eventlog.streams import DAYS, GAMES, RACES, day_stream, game_stream, id_of, race_stream
from cadogan.server.core.games import game_messages
from cadogan.server.core.games.access import Access
from cadogan.server.core.games.competition_rules import GameOutline
from cadogan.server.core.games.game_reader import GameOutlines, GameReader
from cadogan.server.core.games.game_state import Step
from cadogan.server.core.games.history_bodies import Charge
from cadogan.server.core.games.visibility import AccessLevel, Relation, access_level_of
from cadogan.server.core.people import PlayerCache
from cadogan.server.core.storage.sql_store import end_of
from cadogan.wire.history import HistoryEvent, HistoryPage, KindSights

SCANNED_EVENTS = 100_000
"""About how many events one request searches for a hash. Hashes have no index, as it would slow down moves."""
METER_EVENT_TYPES = ("game_dealt", "game_finished")
"""The event types that change a meter. Any other is `advanced` for viewers who see only the meter."""
_BETWEEN = ("game_dealt", "challenge_spoiled", "game_finished", "deal_revealed")
"""The event types shown for a player's games, unless a type is requested."""
_END_OF_SHOWN = end_of(RACES)
"""Streams with later names (acts and views) are not searched for hashes. Days and games come before races."""
_CURSOR_LENGTH = 10
_COLUMNS = [events.c[name] for name in ("stream", "version", "type", "data", "recorded_at", "hash")]


class Filter(NamedTuple):
    """A filter of events: by type, and by time, from inclusive to exclusive, in milliseconds since 1970."""

    type: str | None = None
    since: int = 0
    until: int = dates.LAST_MOMENT

    def conditions(self) -> list[ColumnElement[bool]]:
        """Return the SQL conditions on rows of events."""
        of_time = [events.c.recorded_at >= self.since, events.c.recorded_at < self.until]
        return [*of_time, events.c.type == self.type] if self.type else of_time


class HistoryBrowser:
    """Reads the log of one database for `asker`, the id of a host or a moderator."""

    def __init__(
        self, database: Database, outlines: GameOutlines, reader: GameReader, access: Access, players: PlayerCache
    ) -> None:
        self._database = database
        self._outlines = outlines
        self._reader = reader
        self._access = access
        self._players = players

    async def page(
        self, asker: str, about: str, wanted: Filter, after: str | None, limit: int, charge: Charge
    ) -> HistoryPage:
        """Return the next events about `game/<id>`, `day/<day>`, `race/<id>`, `player/<id>` or `hash/<hex>`.

        `after` is the cursor of the page before. Raises NotFound, Archived, BadMessage and RateLimited.
        """
        kind, _, name = about.partition("/")
        match kind:
            case "game":
                return await self._game(asker, await self._outlines.get(name), wanted, _number(after), limit, charge)
            case "player":
                return await self._player(asker, name, wanted, after, limit, charge)
            case "hash":
                return await self._hash(asker, name, after or "", charge)
        stream = race_stream(name) if kind == "race" and ids.is_valid(name) else day_stream(name)
        return await self._stream(stream, wanted, _number(after), limit)

    async def _game(
        self, asker: str, game: GameOutline, wanted: Filter, after: int, limit: int, charge: Charge
    ) -> HistoryPage:
        access_level = await self._access.grant(asker, game)
        chosen = _rows(wanted, access_level).where(events.c.stream == game_stream(game.id), events.c.version > after)
        rows = await self._read(chosen.order_by(events.c.version).limit(limit + 1))
        shown = await self._show(game, access_level, rows[:limit], charge)
        return HistoryPage(
            events=shown,
            sights=await self._access_levels(asker, game),
            next=str(rows[limit - 1].version) if len(rows) > limit else None,
        )

    async def _access_levels(self, asker: str, game: GameOutline) -> KindSights:
        """Return the sight of each kind of viewer on the game now."""
        theirs = await self._access.relation(asker, game)
        anybody = await self._access.relation(None, game)
        kinds = {
            "player": Relation(own=True, shared=theirs.shared),
            "spectator": anybody._replace(finished=True, newcomer=False),
            "host": theirs,
            "public": anybody,
        }
        return KindSights(**{kind: access_level_of(relation).value for kind, relation in kinds.items()})

    async def _show(
        self, game: GameOutline, access_level: AccessLevel, rows: Collection[Row[Any]], charge: Charge
    ) -> list[HistoryEvent]:
        """Return these events of one game, as visible with this sight."""
        is_public = await self._access.may_have_record(game)
        charge(
            max((row.version for row in rows), default=1)
            if access_level is not AccessLevel.PROGRESS
            else len(rows) or 1
        )
        messages = await self._messages(game, access_level, {row.version for row in rows})
        return [
            HistoryEvent(
                stream=row.stream,
                version=row.version,
                type=row.type
                if access_level is not AccessLevel.PROGRESS or row.type in METER_EVENT_TYPES
                else "advanced",
                at=row.recorded_at,
                hash=row.hash.hex() if is_public else None,
                data=json.decode(row.data) if is_public else None,
                board=messages[row.version].get(AccessLevel.BOARD),
                meter=messages[row.version].get(AccessLevel.PROGRESS),
            )
            for row in rows
        ]

    async def _messages(
        self, game: GameOutline, access_level: AccessLevel, versions: Collection[int]
    ) -> dict[int, Mapping[AccessLevel, dict[str, Any]]]:
        """Return the messages about these events that viewers of each sight got, for the sights up to this one."""
        if access_level is AccessLevel.PROGRESS:  # its message has no more than the fact that the event exists
            return {version: {} for version in versions}
        owner = await self._players.player(game.player)
        found: dict[int, Mapping[AccessLevel, dict[str, Any]]] = {}

        def use(step: Step) -> None:
            if step.after.version not in versions:
                return
            access_levels = (AccessLevel.BOARD, AccessLevel.PROGRESS)
            if step.before is None:
                views = [
                    (each, game_messages.view(step.after, each, owner, now=game.dealt_at)) for each in access_levels
                ]
                found[step.after.version] = {each: to_builtins(view) for each, view in views}
            else:
                found[step.after.version] = {
                    each: to_builtins(message) for each, message in game_messages.messages_for(step, access_levels)
                }

        if versions:
            await self._reader.read_steps(game.id, use, max(versions))
        return found

    async def _stream(self, stream: str, wanted: Filter, after: int, limit: int) -> HistoryPage:
        chosen = select(*_COLUMNS).where(events.c.stream == stream)
        if not await self._read(chosen.limit(1)):
            raise NotFound("There are no such events.")
        is_public = not stream.startswith(RACES) or await self._is_over(stream)
        later = chosen.where(events.c.version > after, *wanted.conditions()).order_by(events.c.version)
        rows = await self._read(later.limit(limit + 1))
        return HistoryPage(
            events=[_plain(row, is_public) for row in rows[:limit]],
            next=str(rows[limit - 1].version) if len(rows) > limit else None,
        )

    async def _player(
        self, asker: str, player: str, wanted: Filter, after: str | None, limit: int, charge: Charge
    ) -> HistoryPage:
        """Return the first and last events of a player's games, the latest game first."""
        chosen = select(games.c.id, games.c.started_at).where(games.c.player == player)
        chosen = chosen.where(games.c.started_at < wanted.until)
        if after is not None:
            started_at, _, last = after.partition(".")
            earlier = and_(games.c.started_at == _number(started_at), games.c.id > last)
            chosen = chosen.where(or_(games.c.started_at < _number(started_at), earlier))
        of_page = max(1, limit // len(_BETWEEN))
        found = await self._read(chosen.order_by(games.c.started_at.desc(), games.c.id).limit(of_page + 1))
        shown: list[HistoryEvent] = []
        for row in found[:of_page]:
            game = await self._outlines.get(row.id)
            access_level = await self._access.grant(asker, game)
            chosen_rows = _rows(wanted, access_level).where(events.c.stream == game_stream(game.id))
            if wanted.type is None:
                chosen_rows = chosen_rows.where(events.c.type.in_(_BETWEEN))
            rows = await self._read(chosen_rows.order_by(events.c.version).limit(limit))
            shown += await self._show(game, access_level, rows, charge)
        last_row = found[of_page - 1] if len(found) > of_page else None
        return HistoryPage(events=shown, next=f"{last_row.started_at}.{last_row.id}" if last_row else None)

    async def _hash(self, asker: str, digest: str, after: str, charge: Charge) -> HistoryPage:
        """Return the event with this hash, if it is public; search the streams from the name `after` on."""
        charge(SCANNED_EVENTS // 100)
        searched = and_(events.c.stream >= after, events.c.stream < _END_OF_SHOWN)
        in_order = select(events.c.stream).where(searched).order_by(events.c.stream)
        beyond = await self._read(in_order.offset(SCANNED_EVENTS).limit(1))
        until = _cursor_before(beyond[0].stream, after) if beyond else None
        chosen = select(*_COLUMNS).where(searched, events.c.hash == bytes.fromhex(digest))
        found = await self._read((chosen.where(events.c.stream < until) if until else chosen).limit(1))
        if found and (shown := await self._show_found(asker, found[0], charge)):
            return HistoryPage(events=shown)
        return HistoryPage(events=[], next=until)

    async def _show_found(self, asker: str, row: Row[Any], charge: Charge) -> list[HistoryEvent]:
        if row.stream.startswith(DAYS):
            return [_plain(row, True)]
        if row.stream.startswith(RACES):
            return [_plain(row, True)] if await self._is_over(row.stream) else []
        if not row.stream.startswith(GAMES):
            return []  # acts and views are not public
        game = await self._outlines.get(id_of(row.stream))
        if not await self._access.may_have_record(game):
            return []
        return await self._show(game, await self._access.grant(asker, game), [row], charge)

    async def _is_over(self, race: str) -> bool:
        over = select(events.c.version).where(events.c.stream == race, events.c.type == "match_finished")
        return bool(await self._read(over))

    async def _read(self, chosen: Select[Any]) -> list[Row[Any]]:
        async with self._database.reading() as connection:
            return list(await connection.execute(chosen))


def _rows(wanted: Filter, access_level: AccessLevel) -> Select[Any]:
    """Select the matching rows of events. If a type is requested, this sight must be allowed to see it."""
    chosen = select(*_COLUMNS).where(*wanted.conditions())
    return (
        chosen.where(events.c.type.in_(METER_EVENT_TYPES))
        if access_level is AccessLevel.PROGRESS and wanted.type
        else chosen
    )


def _plain(row: Row[Any], is_public: bool) -> HistoryEvent:
    """Return an event of a day or a race, which has no cards."""
    return HistoryEvent(
        stream=row.stream,
        version=row.version,
        type=row.type,
        at=row.recorded_at,
        hash=row.hash.hex() if is_public else None,
        data=json.decode(row.data) if is_public else None,
    )


def _cursor_before(stream: str, after: str) -> str:
    """Return the shortest prefix of a stream's name that sorts after `after`.

    The full name is not revealed, because it may be that of a private race.

    >>> _cursor_before("game/m3x5q7a2b4c6d2ef", "daily/2026"), _cursor_before("game/m3x5q7a2b4c6d2ef", "game/m3x5q")
    ('game/m3x5q', 'game/m3x5q7')
    """
    lengths = range(_CURSOR_LENGTH, len(stream) + 1)
    return next((stream[:length] for length in lengths if stream[:length] > after), f"{stream}-")


def _number(cursor: str | None) -> int:
    """Parse a cursor as a number; 0 for an empty one. Raises BadMessage."""
    if cursor is None:
        return 0
    if not cursor.isdecimal() or len(cursor) > 18:
        raise BadMessage("This is no cursor of a page.")
    return int(cursor)
