"""How the log is doing: what the metrics and the doctor say of it."""

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

    `size` is that of the last checkpoint. `waiting` streams have ended and are not in the log yet, the first of them
    since `oldest_waiting_seconds`. `away` are the names of the witnesses that have not signed the last checkpoint.
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
