"""Struck runs, which hosts have removed from the boards: queries, and the updates of the boards.

The entry of a struck run stays; the table `strikes` marks it as not counting. Striking or restoring a run subtracts or
adds its values to the totals, and changes the bucket counts accordingly.
"""

from collections.abc import Collection
from typing import Any

from msgspec import convert
from sqlalchemy import Select, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.statements import among
from cadogan.server.core.database.tables import entries, strikes, totals
from cadogan.server.core.eventlog.projections import EntryRow, StrikeRow
from cadogan.server.core.rank_rows import rank_statements, totals_to_add
from cadogan.server.core.ranking import BOTS_PREFIX, bucket_changes, deal_of, negative
from cadogan.wire.values import Struck

MAX_SHOWN = 100
"""The maximum number of struck runs shown beside a board, the latest."""
_AMONG = select(strikes).where(among(strikes.c.game_id, "games"))


class DisqualifiedRuns:
    """The struck runs in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def among(self, games: Collection[str]) -> dict[str, StrikeRow]:
        """Return the strikes among the games with these ids, by id."""
        if not games:
            return {}
        rows = await self._database.fetch(_AMONG, {"games": [*games]})
        return {row.game_id: StrikeRow(**row._mapping) for row in rows}

    async def of_board(self, board: str) -> list[StrikeRow]:
        """Return the runs struck off the board of a deal or a day, the latest first; none for other boards.

        At most `MAX_SHOWN`.
        """
        is_of_bots, name = board.startswith(BOTS_PREFIX), board.removeprefix(BOTS_PREFIX)
        kind, _, subject = name.partition(":")
        if kind not in ("deal", "day"):
            return []
        belongs = entries.c.deal == deal_of(name) if kind == "deal" else entries.c.day == subject
        chosen = select(strikes).join(entries, entries.c.game_id == strikes.c.game_id).where(belongs)
        chosen = chosen.where(strikes.c.player.startswith("bot-", autoescape=True) == is_of_bots)
        latest = chosen.order_by(strikes.c.struck_at.desc(), strikes.c.game_id).limit(MAX_SHOWN)
        return [*(await self._read(latest)).values()]

    async def _read(self, chosen: Select[Any]) -> dict[str, StrikeRow]:
        return {row.game_id: StrikeRow(**row._mapping) for row in await self._database.fetch(chosen)}


async def move_run(connection: AsyncConnection, entry: EntryRow, *, on_boards: bool) -> None:
    """Add a run to its six boards, or remove it from them, in the transaction of the connection.

    Rows are locked in the same order as by every writer, to avoid deadlocks.
    """
    added = totals_to_add([entry])
    if not on_boards:
        added = [negative(total) for total in added]
    ranks = rank_statements(connection.dialect.name)
    now = await connection.exec_driver_sql(ranks.add_totals, ranks.parameters(added))
    changes, maybe_empty = bucket_changes(added, now)
    await connection.exec_driver_sql(ranks.change_counts, ranks.parameters(changes))
    if maybe_empty:
        await connection.exec_driver_sql(ranks.delete_empty, ranks.parameters(maybe_empty))
    mine = or_(*((totals.c.board == total.board) & (totals.c.player == total.player) for total in added))
    await connection.execute(totals.delete().where(mine, totals.c.runs == 0))


def shown_strike(row: StrikeRow) -> Struck:
    """Return the public fields of a strike."""
    return convert({"reason": row.reason, "at": row.struck_at}, Struck)
