"""Strikes: remove a run from the boards and all statistics, or restore it. The run and its record stay.

A strike is an act in the log of hosts. Nothing is written to the game's stream, so its record stays valid.
"""

from collections.abc import Callable
from dataclasses import asdict

from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core import ids
from cadogan.server.core.errors import Conflict, Forbidden, NotFound
from cadogan.server.database.connections import Database
from cadogan.server.database.tables import entries, games, players, strikes
from cadogan.server.eventlog.events import HouseActed
from cadogan.server.eventlog.projections import EntryRow, StrikeRow
from cadogan.server.house.house_log import lock_house, record_act
from cadogan.server.leaderboards.struck_runs import move_run
from cadogan.wire.house import Why


class RunStrikes:
    """The strikes in a database. `now` returns milliseconds since 1970.

    `publish` is called with the id of a struck or restored run, after the commit.
    """

    def __init__(self, database: Database, now: Callable[[], int], publish: Callable[[str], None]) -> None:
        self._database = database
        self._now = now
        self._publish = publish

    async def strike(self, by: str | None, game_id: str, disqualified: bool, why: Why) -> None:
        """Strike a run off the boards, or restore it. Does nothing if that is done already.

        `by` is the id of the actor; None at the command line. Raises NotFound for an unknown run, Conflict for an
        unfinished run, and Forbidden for a run of a host or a moderator.
        """
        async with self._database.writing() as connection:
            await lock_house(connection)
            player = await _player_of(connection, game_id)
            if (
                bool(await connection.scalar(select(strikes.c.game_id).where(strikes.c.game_id == game_id)))
                == disqualified
            ):
                return
            now = self._now()
            if disqualified:
                row = StrikeRow(game_id, player, why.reason, now)
                await connection.execute(insert(strikes).values(asdict(row)))
            else:
                await connection.execute(delete(strikes).where(strikes.c.game_id == game_id))
            entry = (await connection.execute(select(entries).where(entries.c.game_id == game_id))).one_or_none()
            if entry is not None:
                await move_run(connection, EntryRow(**entry._mapping), on_boards=not disqualified)
            kind = "run_struck" if disqualified else "run_returned"
            act = HouseActed(kind, by=by, player=player, game=game_id, reason=why.reason)
            await record_act(connection, act, now, why.note)
        self._publish(game_id)


async def _player_of(connection: AsyncConnection, game_id: str) -> str:
    """Return the player of a run, after checking that it may be struck."""
    chosen = select(games.c.player, games.c.finished_at, players.c.role).where(games.c.id == game_id)
    chosen = chosen.outerjoin(players, players.c.id == games.c.player)
    row = (await connection.execute(chosen)).one_or_none() if ids.is_valid(game_id) else None
    if row is None:
        raise NotFound("There is no such game.")
    if row.finished_at is None:
        raise Conflict("Only a run that is over can be struck. Suspend the player to end what goes on.")
    if row.role is not None:
        raise Forbidden("This player is a host or a moderator: take the role away first.")
    player: str = row.player
    return player
