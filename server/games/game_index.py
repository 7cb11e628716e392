"""The index of games and races: which ones there are. It is derived from the log and says nothing of their cards."""

import asyncio
from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import and_, func, select, text

from clients.wire.values import Result
from server.core.batching import Batcher
from server.database.connections import Database
from server.database.tables import events, games, races
from server.eventlog.events import GameDealt, GameFinished, decode_event
from server.eventlog.streams import game_stream, id_of

_RANKED = text("ranked")
"""The condition of the index `uq_games_deal_player_ranked`, written as there, so that both databases use the index."""
_ATTEMPT_EVENTS = ("game_dealt", "challenge_spoiled", "game_finished")


class Attempt(NamedTuple):
    """What the log says of a person's one ranked attempt at a deal. `result` is None until the attempt is over.

    `player` is whose game it is: the person's own, or one of their bots'. It is None until the attempt is begun.
    """

    player: str | None = None
    spoiled: bool = False
    result: Result | None = None


class GameIndex:
    """The index in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._counts = Batcher(self._count)

    async def attempts_at(self, deals: Sequence[str]) -> list[str]:
        """Return the ids of everybody's attempts at these deals, in the order in which they began."""
        attempts = select(games.c.id).where(games.c.deal.in_(deals), _RANKED)
        return await self._ids(attempts.order_by(games.c.started_at, games.c.id))

    async def count_attempts(self, deals: Sequence[str]) -> dict[str, int]:
        """Return how many players have begun an attempt at each of these deals. Deals without attempts are left out.

        Counting a day that many play takes a while, so questions that come at the same moment share one count.
        """
        counts = await asyncio.gather(*(self._counts.get(deal) for deal in deals))
        return {deal: count for deal, count in zip(deals, counts, strict=True) if count is not None}

    async def _count(self, deals: Collection[str]) -> dict[str, int]:
        attempts = select(games.c.deal, func.count().label("runs")).where(games.c.deal.in_(deals), _RANKED)
        async with self._database.reading() as connection:
            return {row.deal: row.runs for row in await connection.execute(attempts.group_by(games.c.deal))}

    async def read_attempts(self, wanted: Iterable[str]) -> dict[str, Attempt]:
        """Return what the log says of the attempts with these game ids. One neither begun nor spoiled is left out."""
        streams = [game_stream(game_id) for game_id in wanted]
        chosen = select(events.c.stream, events.c.type, events.c.schema, events.c.data)
        found: dict[str, Attempt] = {}
        async with self._database.reading() as connection:
            rows = await connection.execute(
                chosen.where(and_(events.c.stream.in_(streams), events.c.type.in_(_ATTEMPT_EVENTS)))
            )
            for name, kind, schema, data in rows:
                game_id = id_of(name)
                known = found.get(game_id, Attempt())
                found[game_id] = _with(known, kind, schema, data)
        return found

    async def is_any_playing(self, wanted: Iterable[str]) -> bool:
        """Return whether any of the games with these ids has begun and not ended."""
        chosen = select(games.c.id).where(games.c.id.in_(tuple(wanted)), games.c.status == "playing").limit(1)
        return bool(await self._ids(chosen))

    async def games_in_progress(self, since: int, limit: int) -> list[str]:
        """Return the ids of at most `limit` games that have not ended, the latest first.

        Only games that began after `since` count, in milliseconds since 1970.
        """
        unfinished = select(games.c.id).where(games.c.status == "playing", games.c.started_at > since)
        return await self._ids(unfinished.order_by(games.c.started_at.desc(), games.c.id).limit(limit))

    async def open_races(self, since: int, limit: int) -> list[str]:
        """Return the ids of at most `limit` races that anybody may join and that have not started, the latest first.

        Only races that were opened after `since` count, in milliseconds since 1970.
        """
        chosen = select(races.c.id).where(races.c.opened_at > since, races.c.status == "open", races.c.open)
        return await self._ids(chosen.order_by(races.c.opened_at.desc(), races.c.id).limit(limit))

    async def _ids(self, chosen: Any) -> list[str]:
        async with self._database.reading() as connection:
            return list((await connection.scalars(chosen)).all())


def _with(known: Attempt, kind: str, schema: int, data: str) -> Attempt:
    match decode_event(kind, schema, data):
        case GameDealt(player=player):
            return known._replace(player=player)
        case GameFinished(result=result):
            return known._replace(result=result)
        case _:
            return known._replace(spoiled=True)
