"""Reading the record of a race from the event log, with its proof from the transparency log."""

from cadogan.server.core.eventlog.event_store import Store
from cadogan.server.core.eventlog.streams import race_stream
from cadogan.server.subjects.races.race_record import build_race_record
from cadogan.server.subjects.transparency.transparency_log import TransparencyLog
from cadogan.wire.bodies import RaceRecord


async def read_race_record(store: Store, log: TransparencyLog, race: str) -> RaceRecord | None:
    """Return the record of a race; None if there is none that is over. Raises StreamIncomplete."""
    stream = race_stream(race)
    events = await store.read(stream)
    if build_race_record(race, events) is None:
        return None
    proof = await log.prove(stream)
    return build_race_record(race, events, None if proof is None else proof.as_text())
