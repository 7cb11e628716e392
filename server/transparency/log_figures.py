"""Figures about the state of the log, for the metrics and the doctor."""

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import func, select

from cadogan.server.database.connections import Database
from cadogan.server.database.tables import log_heads, log_queue
from cadogan.server.transparency.checkpoints import read_checkpoint
from cadogan.server.transparency.signing.keys import VerifierKey
from cadogan.server.transparency.signing.notes import read_note
from cadogan.server.transparency.transparency_log import LATEST, WITNESSED


class LogFigures(NamedTuple):
    """The state of a log.

    `size` is that of the last checkpoint. `waiting` is the number of ended streams that are not in the log yet, and
    `oldest_waiting_seconds` the age of the oldest. `away` are the witnesses that have not signed the last checkpoint.
    """

    size: int
    waiting: int
    oldest_waiting_seconds: float
    away: tuple[str, ...]


async def count_log(database: Database, witnesses: Collection[VerifierKey], now: int) -> LogFigures:
    """Return the figures of the log in a database. `now` is in milliseconds since 1970."""
    chosen = select(func.count(), func.min(log_queue.c.recorded_at)).select_from(log_queue)
    async with database.reading() as connection:
        waiting, oldest = (await connection.execute(chosen)).one()
        heads = {row.kind: read_note(row.note) for row in await connection.execute(select(log_heads))}
    latest, witnessed = heads.get(LATEST), heads.get(WITNESSED)
    if latest is None:
        return LogFigures(0, waiting, _age(oldest, now), ())
    is_same = witnessed is not None and witnessed.text == latest.text
    signed = [key for key in witnesses if is_same and witnessed is not None and witnessed.signatures_by(key)]
    away = tuple(key.name for key in witnesses if key not in signed)
    return LogFigures(read_checkpoint(latest.text).size, waiting, _age(oldest, now), away)


def _age(oldest: int | None, now: int) -> float:
    return 0.0 if oldest is None else max(0, now - oldest) / 1000
