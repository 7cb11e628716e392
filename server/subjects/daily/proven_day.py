"""Reading the record of a closed day from the event log, with its proofs from the transparency log."""

from cadogan.server.core.eventlog.event_store import Store
from cadogan.server.core.eventlog.streams import day_stream
from cadogan.server.subjects.daily.day_record import build_day_record
from cadogan.server.subjects.transparency.transparency_log import TransparencyLog
from cadogan.wire.bodies import DayRecord


async def read_day_record(store: Store, log: TransparencyLog, day: str) -> DayRecord | None:
    """Return the record of a day; None if the day is not closed. Raises StreamIncomplete."""
    stream = day_stream(day)
    events = await store.read(stream)
    if build_day_record(day, events) is None:
        return None
    proof, announcement = await log.prove(stream), await log.prove_announcement(day)
    texts = [None if one is None else one.as_text() for one in (proof, announcement)]
    return build_day_record(day, events, *texts)
