"""Checking the evenings of a watched server: what was announced stays, and the final standing follows from the runs."""

import tempfile
from pathlib import Path

from msgspec import Struct, field

from cadogan.server.core.eventlog.streams import id_of
from cadogan.server.core.fairness.commit_reveal import commitment
from cadogan.server.operations.logged_records import compare_evening
from cadogan.server.operations.watched_server import ShownEvening, WatchedServer
from cadogan.server.subjects.audit.attestation import NotAttested, Trust
from cadogan.server.subjects.audit.recompute_evening import RecomputedEvening, recompute_evening
from cadogan.server.subjects.evenings.evening_record import EveningBroken, VerifiedEvening, file_name
from cadogan.server.subjects.transparency.leaves import Ended
from cadogan.wire.bodies import RecordedEvent

MAX_SEEN = 1_000
"""Announced evenings that are remembered, those that were seen last."""


class SeenRound(Struct, frozen=True):
    """What was announced for a round."""

    deal: str
    game: str
    commitment: str


class SeenEvenings(Struct):
    """The announced rounds of the evenings that are not over, as they were seen first, by the id of the evening."""

    rounds: dict[str, list[SeenRound]] = field(default_factory=dict)

    def compare_shown(self, shown: ShownEvening) -> list[str]:
        """Return what is wrong with an evening as it is shown now: other rounds than before, or a wrong secret."""
        now = [SeenRound(one.deal, one.game, one.commitment) for one in shown.rounds]
        known = self.rounds.setdefault(shown.id, now)
        if len(self.rounds) > MAX_SEEN:
            del self.rounds[next(iter(self.rounds))]
        wrongs = [] if known == now else [f"evening {shown.id}: its rounds are others than were announced"]
        for number, one in enumerate(shown.rounds, 1):
            if one.secret is not None and commitment(bytes.fromhex(one.secret)) != one.commitment:
                wrongs.append(f"evening {shown.id}: the secret of round {number} does not fit its commitment")
        return wrongs

    def compare_record(self, found: VerifiedEvening) -> list[str]:
        """Return what is wrong with the record of an evening that was seen before; forget the evening."""
        known = self.rounds.pop(found.record.evening, None)
        recorded = [SeenRound(one.deal, one.game, one.commitment) for one in found.state.rounds]
        return [] if known in (None, recorded) else ["its record has other rounds than were announced"]


async def find_evening_faults(
    server: WatchedServer, entry: Ended, seen: SeenEvenings, struck: set[str]
) -> tuple[list[str], list[RecordedEvent]]:
    """Return what is wrong with the evening that an entry names, and the events of its record.

    `struck` are the runs of which the log says that they are struck now, or were. Raises RecordDiffers,
    Unreachable, NotPublic, and RecordWithheld if there is no such evening.
    """
    evening = id_of(entry.stream)
    text = await server.evening_record(evening)
    found = compare_evening(text, entry)
    wrongs = seen.compare_record(found)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / file_name(evening)).write_bytes(text)
        for game in found.record.runs:
            if (record := await server.game_record(game)) is not None:
                (Path(folder) / f"{game}.json").write_bytes(record)
        try:
            wrongs += describe(recompute_evening(evening, Path(folder), Trust()))
        except (EveningBroken, NotAttested) as error:
            wrongs.append(str(error))
    final = found.state.finalised.struck if found.state.finalised else ()
    for run in sorted({*final, *found.state.struck} - struck):
        wrongs.append(f"its standing is without the run {run}, and the log has no entry of that")
    return wrongs, found.record.events


def describe(found: RecomputedEvening) -> list[str]:
    """Return what differs in an evening that was derived again, as sentences."""
    wrongs = [f"{file.removesuffix('.json')}: {why}" for file, why in found.faults.items()]
    if found.written != found.derived:
        wrongs.append(f"its digest is {found.written}, and its records give {found.derived}")
    return [*wrongs, *found.differences]
