"""Checking the evenings of a watched server: what was announced stays, and the final standing follows from the runs."""

import tempfile
from pathlib import Path

from msgspec import Struct, field

from cadogan.server.core.eventlog.streams import id_of
from cadogan.server.core.fairness.commit_reveal import commitment
from cadogan.server.operations.logged_records import compare_evening
from cadogan.server.operations.watched_server import ShownEvening, WatchedServer
from cadogan.server.subjects.audit.attestation import CLOCKS_SECONDS, NotAttested, Trust, find_early
from cadogan.server.subjects.audit.recompute_evening import RecomputedEvening, recompute_evening
from cadogan.server.subjects.evenings.evening_record import EveningBroken, VerifiedEvening, file_name
from cadogan.server.subjects.transparency.leaves import Announcement, Ended
from cadogan.wire.bodies import RecordedEvent

MAX_SEEN = 1_000
"""Announced evenings that are remembered, those that were seen last."""
MAX_LOGGED = 10_000
"""Entries of announcements that are remembered, the latest ones."""


class SeenRound(Struct, frozen=True):
    """The announcement of a round."""

    deal: str
    game: str
    commitment: str


class LoggedAnnouncement(Struct, frozen=True):
    """The entry of an evening's announcement: its number in the log, from 0, when it was made, and its digest."""

    number: int
    at: int
    digest: str


class SeenEvenings(Struct):
    """The announcements of evenings, by the id of the evening.

    `rounds` are the first seen versions of the rounds of evenings that are not over. `logged` has the entries of all
    announcements after `since`, in milliseconds since 1970; None before the first one: earlier servers wrote none.
    """

    rounds: dict[str, list[SeenRound]] = field(default_factory=dict)
    logged: dict[str, LoggedAnnouncement] = field(default_factory=dict)
    since: int | None = None

    def add(self, number: int, entry: Announcement, seen_at: int | None, now: int) -> list[str]:
        """Keep the entry of an announcement, and return what is wrong with it.

        `seen_at` is when a witness first signed a log with it, in seconds since 1970, and `now` is in milliseconds.
        """
        self.since = entry.at if self.since is None else self.since
        evening, said = id_of(entry.stream), f"entry {number + 1}, {entry.stream}"
        known = self.logged.setdefault(evening, LoggedAnnouncement(number, entry.at, entry.digest))
        if len(self.logged) > MAX_LOGGED:
            self.since = max(self.since, self.logged.pop(next(iter(self.logged))).at)
        wrongs = []
        if known.number != number:
            wrongs.append(f"{said}: it is announced a second time; the first time was entry {known.number + 1}")
        if entry.at > now + 1000 * CLOCKS_SECONDS:
            wrongs.append(f"{said}: it has a time in the future")
        if seen_at is not None and (early := find_early(seen_at, entry.at)):
            wrongs.append(f"{said}: a witness {early}")
        return wrongs

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
        evening, first = found.record.evening, found.record.events[0]
        known, logged = self.rounds.pop(evening, None), self.logged.get(evening)
        recorded = [SeenRound(one.deal, one.game, one.commitment) for one in found.state.rounds]
        wrongs = [] if known in (None, recorded) else ["its record has other rounds than were announced"]
        ours = Announcement.of(found.state.stream, first.recorded_at, bytes.fromhex(first.hash))
        if logged is not None and (logged.at, logged.digest) != (ours.at, ours.digest):
            wrongs.append(f"its record has another announcement than entry {logged.number + 1} of the log")
        if logged is None and self.since is not None and first.recorded_at > self.since:
            wrongs.append("the log has no entry of its announcement")
        return wrongs


async def find_evening_faults(
    server: WatchedServer, entry: Ended, seen: SeenEvenings, struck: set[str]
) -> tuple[list[str], list[RecordedEvent]]:
    """Return the faults of the evening that an entry names, and the events of its record.

    `struck` are the runs that are struck according to the log, or were before. Raises RecordDiffers, Unreachable,
    NotPublic, and RecordWithheld if there is no such evening.
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
    """Return the differences of a recomputed evening, as sentences."""
    wrongs = [f"{file.removesuffix('.json')}: {why}" for file, why in found.faults.items()]
    if found.written != found.derived:
        wrongs.append(f"its digest is {found.written}, and its records give {found.derived}")
    return [*wrongs, *found.differences]
