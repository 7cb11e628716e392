"""The index of games and races. It is derived from the log and holds no cards."""

from collections import Counter
from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Column, ColumnElement, Integer, Row, Select, bindparam, case, func, not_, or_, select, text

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.statements import accounts_of, among
from cadogan.server.core.database.tables import events, games, players, races, strikes
from cadogan.server.core.event_loop import Batcher
from cadogan.server.core.eventlog.event_store import PartedStore, StreamIncomplete
from cadogan.server.core.eventlog.events import GameDealt, GameFinished, decode_event
from cadogan.server.core.eventlog.streams import day_stream, game_stream, id_of
from cadogan.wire.values import Result

_RANKED = text("ranked")
"""The condition of the index `uq_games_deal_player_ranked`, written as there, so that both databases use the index."""
_RUNS = (
    select(games.c.deal, func.count().label("runs"))
    .where(among(games.c.deal, "deals"), _RANKED, games.c.id.not_in(select(strikes.c.game_id)))
    .group_by(games.c.deal)
)
_OF_STREAMS = among(events.c.stream, "streams")
_VERSIONS = (
    select(events.c.stream, func.count(), func.max(events.c.version)).where(_OF_STREAMS).group_by(events.c.stream)
)
_ATTEMPTS = select(events.c.stream, events.c.type, events.c.schema, events.c.data).where(
    _OF_STREAMS, events.c.type.in_(("game_dealt", "challenge_spoiled", "game_finished"))
)
_SELECT_MOVED = select(events.c.stream).where(_OF_STREAMS, events.c.version == 2)
_SELECT_CLOSED = select(events.c.stream).where(_OF_STREAMS, events.c.type == "daily_closed")
_UNRANKED = (
    select(games.c.id)
    .where(
        games.c.player == bindparam("player"),
        games.c.started_at > bindparam("since"),
        games.c.status == "playing",
        games.c.match.is_(None),
        not_(games.c.ranked),
    )
    .limit(bindparam("limit", type_=Integer))
)

_SELECT_LEFT_RUNS = (
    select(games.c.id, games.c.day, games.c.started_at)
    .where(
        games.c.status == "playing",
        games.c.ranked,
        games.c.day < bindparam("before"),
        games.c.started_at >= bindparam("at"),
        or_(games.c.started_at > bindparam("at"), games.c.id > bindparam("id")),
    )
    .order_by(games.c.started_at, games.c.id)
    .limit(bindparam("limit", type_=Integer))
)

_SELECT_OLD_GAMES = (
    select(games.c.id, games.c.started_at)
    .where(
        games.c.status == "playing",
        games.c.match.is_(None),
        not_(games.c.ranked),
        games.c.started_at <= bindparam("before"),
        games.c.started_at >= bindparam("at"),
        or_(games.c.started_at > bindparam("at"), games.c.id > bindparam("id")),
    )
    .order_by(games.c.started_at, games.c.id)
    .limit(bindparam("limit", type_=Integer))
)

MAX_ROWS_PER_PERSON = 2
"""Rows that one person has in the list of live games, and in the list of open races."""
MAX_CANDIDATES_PER_PERSON = 10
"""Latest games of one person that are considered for the list of live games."""
MAX_CANDIDATES = 500
"""Games of all players that are considered for the list of live games."""
UNFINISHED_PAGE = 30
MAX_UNFINISHED_PAGES = 60
"""Pages of one player's unfinished games that are searched for games that can be resumed."""


class Attempt(NamedTuple):
    """A person's one ranked attempt at a deal, as stored in the log. `result` is None until the attempt is over.

    `player` is the id of the person or of the bot that plays it; None until the attempt has started.
    """

    player: str | None = None
    spoiled: bool = False
    result: Result | None = None


class AbandonedAttempt(NamedTuple):
    """An attempt at a deal of a day that has not ended: its game, the day, and when it began."""

    id: str
    day: str
    started_at: int


class OldGame(NamedTuple):
    """An unfinished game: its id, and when it began, in milliseconds since 1970."""

    id: str = ""
    started_at: int = 0


class GameIndex:
    """The index in a database. `store` holds the games."""

    def __init__(self, database: Database, store: PartedStore) -> None:
        self._database = database
        self.store = store
        self._changed = store.batcher(str, store.changed_at)
        self._counts = Batcher(self._count)
        self._unfinished = Batcher(self._find_unfinished)
        self._moved = store.batcher(game_stream, self._find_moved)
        self._closed = store.batcher(day_stream, self._find_closed)

    async def attempts_at(self, deals: Sequence[str]) -> list[str]:
        """Return the ids of all attempts at these deals, in the order of their start."""
        attempts = select(games.c.id).where(games.c.deal.in_(deals), _RANKED)
        return await self._ids(attempts.order_by(games.c.started_at, games.c.id))

    async def unfinished_attempts(self, deals: Sequence[str]) -> list[str]:
        """Return the ids of all unfinished attempts at these deals, in the order of their start."""
        attempts = select(games.c.id).where(games.c.deal.in_(deals), _RANKED, games.c.status == "playing")
        return await self._ids(attempts.order_by(games.c.started_at, games.c.id))

    async def abandoned_attempts(
        self, before: str, after: AbandonedAttempt | None, limit: int
    ) -> list[AbandonedAttempt]:
        """Return at most `limit` unfinished attempts at deals of days before the day `before`, oldest first.

        Only attempts that started after the attempt `after` are returned.
        """
        at, game_id = (after.started_at, after.id) if after else (0, "")
        return [
            AbandonedAttempt(*row)
            for row in await self._database.fetch(
                _SELECT_LEFT_RUNS, {"before": before, "at": at, "id": game_id, "limit": limit}
            )
        ]

    async def old_unranked_games(self, before: int, after: OldGame, limit: int) -> list[OldGame]:
        """Return at most `limit` unfinished unranked games outside races that began by `before`, the oldest first.

        Only games that began after the game `after` are returned. `before` is in milliseconds since 1970.
        """
        asked = {"before": before, "at": after.started_at, "id": after.id, "limit": limit}
        return [OldGame(*row) for row in await self._database.fetch(_SELECT_OLD_GAMES, asked)]

    async def changed_until(self, wanted: Collection[str], until: int) -> list[str]:
        """Return those of these games whose last event is from this time or before it, in milliseconds since 1970."""
        changed = await self._changed.get_many([*map(game_stream, wanted)], partly=True)
        return [id_of(stream) for stream, at in changed.items() if at <= until]

    async def count_attempts(self, deals: Sequence[str]) -> dict[str, int]:
        """Return how many players have started an attempt at each of these deals, without disqualified runs.

        Deals without attempts are left out.

        Counting a popular day is slow, so concurrent calls share one count.
        """
        return await self._counts.get_many(deals)

    async def _count(self, deals: Collection[str]) -> dict[str, int]:
        return {row.deal: row.runs for row in await self._database.fetch(_RUNS, {"deals": [*deals]})}

    async def read_attempts(self, wanted: Iterable[str]) -> dict[str, Attempt]:
        """Return the attempts with these game ids. Attempts that are neither started nor spoiled are left out.

        Raises StreamIncomplete if an event before the last one of an attempt cannot be read.
        """
        streams = {"streams": [game_stream(game_id) for game_id in wanted]}
        found: dict[str, Attempt] = {}
        for name, count, last in await self._database.fetch(_VERSIONS, streams):
            if count != last:
                raise StreamIncomplete(name)
        for name, kind, schema, data in await self._database.fetch(_ATTEMPTS, streams):
            game_id = id_of(name)
            known = found.get(game_id, Attempt())
            found[game_id] = _apply_event(known, kind, schema, data)
        return found

    async def is_any_playing(self, wanted: Iterable[str]) -> bool:
        """Return whether any of the games with these ids is in progress."""
        chosen = select(games.c.id).where(games.c.id.in_(tuple(wanted)), games.c.status == "playing").limit(1)
        return bool(await self._ids(chosen))

    async def games_in_progress(self, began_after: int, active_after: int, limit: int) -> list[str]:
        """Return the ids of at most `limit` unfinished games, in the order of the list of live games.

        Only games that started after `began_after` and had an event after `active_after` are returned, both in
        milliseconds since 1970. Players with a name come first, then the games with the latest event. There are at most
        `MAX_ROWS_PER_PERSON` games of one person: an owner and their bots count as one. Games in an unavailable part of
        the log are left out.
        """
        unfinished = (games.c.status == "playing") & (games.c.started_at > began_after)
        latest = _limit_per_person(
            games.c.id, games.c.player, games.c.started_at, unfinished, MAX_CANDIDATES_PER_PERSON
        )
        found = latest.order_by(text("is_named DESC"), text("at DESC"), text("id")).limit(MAX_CANDIDATES).subquery()
        rows = await self._database.fetch(select(found))
        changed = await self._changed.get_many([game_stream(row.id) for row in rows], partly=True)
        changed_at = {id_of(stream): at for stream, at in changed.items()}
        rows = sorted(
            (row for row in rows if row.id in changed_at),
            key=lambda row: (not row.is_named, -changed_at[row.id], row.id),
        )
        rows_of: Counter[str] = Counter()
        chosen = []
        for row in rows:
            rows_of[row.person] += 1
            if changed_at[row.id] > active_after and rows_of[row.person] <= MAX_ROWS_PER_PERSON:
                chosen.append(row.id)
        return chosen[:limit]

    async def unranked_games_in_progress(self, player: str, since: int, limit: int) -> list[str]:
        """Return at most `limit` unfinished casual and practice games of a player that started after `since`."""
        return await self._ids(_UNRANKED, {"player": player, "since": since, "limit": limit})

    async def unfinished_games(self, player: str) -> AsyncIterator[str]:
        """Iterate over a player's unfinished games, latest start first.

        Attempts at deals of closed days, casual games without a move, and games in an unavailable part of the log are
        left out.
        """
        for page in range(MAX_UNFINISHED_PAGES):
            rows = await self._unfinished.get((player, page)) or []
            unranked = [row.id for row in rows if not row.ranked and row.race is None]
            moved = await self._moved.get_many(unranked, partly=True)
            days = {row.day for row in rows if row.ranked and row.day is not None}
            closed = await self._closed.get_many(days, partly=True)
            for row in rows:
                if row.race is not None or (row.day not in closed if row.ranked else row.id in moved):
                    yield row.id
            if len(rows) < UNFINISHED_PAGE:
                return

    async def _find_unfinished(self, wanted: Collection[tuple[str, int]]) -> dict[tuple[str, int], list[Row[Any]]]:
        place = func.row_number().over(partition_by=games.c.player, order_by=(games.c.started_at.desc(), games.c.id))
        found: dict[tuple[str, int], list[Row[Any]]] = {}
        for page in {page for _, page in wanted}:
            players = [player for player, of in wanted if of == page]
            unfinished = games.c.player.in_(players) & (games.c.status == "playing")
            columns = (games.c.player, games.c.id, games.c.ranked, games.c.day, games.c.match.label("race"))
            placed = select(*columns, place.label("place")).where(unfinished).subquery()
            of_page = placed.c.place.between(page * UNFINISHED_PAGE + 1, (page + 1) * UNFINISHED_PAGE)
            for row in await self._database.fetch(select(placed).where(of_page).order_by(placed.c.place)):
                found.setdefault((row.player, page), []).append(row)
        return found

    async def _find_moved(self, wanted: Collection[str]) -> dict[str, bool]:
        rows = await self._database.fetch(_SELECT_MOVED, {"streams": [*map(game_stream, wanted)]})
        return {id_of(row.stream): True for row in rows}

    async def closed_days(self, days: Collection[str]) -> set[str]:
        """Return those of these days that have closed."""
        return {*await self._closed.get_many(days)}

    async def _find_closed(self, days: Collection[str]) -> dict[str, bool]:
        rows = await self._database.fetch(_SELECT_CLOSED, {"streams": [*map(day_stream, days)]})
        return {id_of(row.stream): True for row in rows}

    async def open_races(self, since: int, limit: int) -> list[str]:
        """Return the ids of at most `limit` public races that have not started.

        Only races that were opened after `since` (milliseconds since 1970) are returned. Races of hosts with a name
        come first, then the latest. There are at most `MAX_ROWS_PER_PERSON` races of one person.
        """
        waiting = (races.c.opened_at > since) & (races.c.status == "open") & races.c.open
        chosen = _limit_per_person(races.c.id, races.c.host, races.c.opened_at, waiting, MAX_ROWS_PER_PERSON)
        return await self._ids(chosen.order_by(text("is_named DESC"), text("at DESC"), text("id")).limit(limit))

    async def count_waiting_races(self, host: str, since: int, but: str = "") -> int:
        """Return how many races opened after `since` by this player, the owner and the bots have not started yet.

        The race with the id `but` is not counted.
        """
        waiting = races.c.host.in_(accounts_of(host)) & (races.c.opened_at > since) & (races.c.status == "open")
        waiting &= races.c.id != but
        return await self._database.fetch_value(select(func.count()).select_from(races).where(waiting)) or 0

    async def _ids(self, chosen: Any, asked: Mapping[str, Any] | None = None) -> list[str]:
        return [row[0] for row in await self._database.fetch(chosen, asked)]


def _limit_per_person(
    id: Column[str], player: Column[str], at: Column[int], condition: ColumnElement[bool], most: int
) -> Select[Any]:
    """Return a query for the latest rows of each person, at most `most`: `id`, `person`, `is_named` and `at`.

    An owner and their bots are one person; they have a name if the owner has one.
    """
    person = func.coalesce(players.c.owner, player, id)
    number = func.row_number().over(partition_by=person, order_by=(at.desc(), id))
    shown = case((players.c.name_key.is_not(None), 1), else_=0)
    counted = (
        select(id.label("id"), person.label("person"), shown.label("is_named"), at.label("at"), number.label("number"))
        .outerjoin(players, players.c.id == player)
        .where(condition)
        .subquery()
    )
    return select(counted).where(counted.c.number <= most)


def _apply_event(known: Attempt, kind: str, schema: int, data: str) -> Attempt:
    match decode_event(kind, schema, data):
        case GameDealt(player=player):
            return known._replace(player=player)
        case GameFinished(result=result):
            return known._replace(result=result)
        case _:
            return known._replace(spoiled=True)
