"""Finished games written as a server writes them: the events of each in the log, and the rows that follow from them."""

from collections.abc import Sequence

from sqlalchemy import insert

from cadogan.server.core import dates
from cadogan.server.core.database.tables import strikes
from cadogan.server.core.eventlog.event_store import Append
from cadogan.server.core.eventlog.events import DailyClosed, Event, GameDealt, GameFinished, HouseActed
from cadogan.server.core.eventlog.hash_chain import START_HASH, chain_event
from cadogan.server.core.eventlog.projections import project
from cadogan.server.core.eventlog.streams import day_stream
from cadogan.server.core.storage.sql_store import SqlStore
from cadogan.server.subjects.admin.admin_log import lock_admin_log, record_act
from cadogan.server.subjects.known_rules import known_rules
from cadogan.wire.values import Result

DAY = "2026-11-20"
NOON = 12 * 3_600_000


def noon(day: str) -> int:
    return dates.day_times(day, 0).opens_at + NOON


async def finish(
    store: SqlStore,
    player: str,
    rules: str = "maze",
    result: Result = "won",
    *,
    day: str | None = None,
    slot: int = 1,
    at: int = noon(DAY),
    score: int = 52,
    moves: int = 80,
    name: str = "",
) -> str:
    """Write a finished game, with `day` a ranked run of the deal `slot` of it; return its id."""
    deal = f"{day}.{slot}" if day else f"casual-{player[:9]}-{rules}-{at}-{name}"
    ended = noon(day) if day and at == noon(DAY) else at
    game = name or f"{player}:{deal}"
    dealt = GameDealt(rules, 1, player, deal, "n", "ab" * 32, day, slot if day else None, None, day is not None, {}, {})
    await _append(store, f"game/{game}", [dealt, GameFinished(result, score, 900, moves, 61_000, 60_000)], ended)
    return game


async def close(store: SqlStore, day: str = DAY) -> None:
    """Write that a day has closed."""
    await _append(store, day_stream(day), [DailyClosed("ab", {})], dates.day_times(day, 0).closes_at)


async def strike(store: SqlStore, game: str, player: str) -> None:
    """Strike a run, as hosts do."""
    async with store.database.writing() as connection:
        await lock_admin_log(connection)
        await connection.execute(insert(strikes).values(game_id=game, player=player, reason="cheating", struck_at=1))
        await record_act(connection, HouseActed("run_struck", player=player, game=game, reason="cheating"), 1)


async def _append(store: SqlStore, stream: str, events: Sequence[Event], at: int) -> None:
    every = [(event, at) for event in events]
    sealed = tuple(chain_event(START_HASH, stream, number, event, at) for number, event in enumerate(events, 1))
    await store.append(Append(stream, None, sealed, project(stream, every, known_rules())))
