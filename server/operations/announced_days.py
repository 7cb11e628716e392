"""The announced days as a monitor knows them, and checks that they do not change.

The log has an entry for each event of a day before its close. A monitor keeps these entries, and compares them with
each other, with its own clock and the times of witnesses, with the days that the server shows, and at the end with the
record of the day. So a commitment that was exchanged, announced twice, dropped or dated back is found.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from cadogan.server.core import dates
from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.events import DailyAnnounced
from cadogan.server.core.eventlog.streams import day_stream, id_of
from cadogan.server.subjects.audit.attestation import CLOCKS_SECONDS, find_early
from cadogan.server.subjects.transparency.leaves import DayEvent

LAG_MILLISECONDS = 10 * 60 * 1000
"""An entry is in the log this long after its event; an event without one is reported after this time."""
DAYS_KEPT = 15
"""Days from the last announced day back for which the entries of closed days are kept."""


class LoggedEvent(msgspec.Struct, frozen=True):
    """An entry about an event of a day: its number in the log, from 0, and its content."""

    number: int
    at: int
    commitment: str
    digest: str
    type: str

    def fits(self, event: DayEvent) -> bool:
        """Return whether the entry is that of this event."""
        own = (self.at, self.commitment, self.digest, self.type)
        return own == (event.at, event.commitment, event.digest, event.type)


class AnnouncedDays(msgspec.Struct):
    """The entries about events of days that a monitor has read.

    `events` has those of each day in order, and `closed` the days whose records were checked. `first` is the number of
    the first such entry in the log, and `latest_at` the latest time in any. `unlogged` are the days that the server
    shows and the log does not have, and when the monitor first saw each. Times are in milliseconds since 1970.
    """

    events: dict[str, list[LoggedEvent]] = msgspec.field(default_factory=dict)
    closed: list[str] = msgspec.field(default_factory=list)
    first: int | None = None
    latest_at: int = 0
    unlogged: dict[str, int] = msgspec.field(default_factory=dict)

    def add(self, number: int, entry: DayEvent, seen_at: int | None, now: int) -> Iterator[str]:
        """Keep an entry; yield what is wrong with it.

        `seen_at` is when a witness first signed a log with it, in seconds since 1970, and `now` is in milliseconds.
        """
        self.first = number if self.first is None else self.first
        day, said = id_of(entry.stream), f"entry {number + 1}, {entry.stream}"
        if not dates.is_valid(day):
            yield f"{said}: this is no day"
            return
        known = self.events.setdefault(day, [])
        begins_at, ends_at, _ = dates.day_times(day, 0)
        is_announcement = entry.type == "daily_announced"
        if known and is_announcement:
            other = "" if entry.commitment == known[0].commitment else ", with another commitment"
            yield f"{said}: it is announced a second time{other}; the first time was entry {known[0].number + 1}"
        elif known and entry.commitment != known[0].commitment:
            yield f"{said}: its commitment is not the one that was announced in entry {known[0].number + 1}"
        elif day in self.closed or (not known and not is_announcement) or entry.version != len(known) + 1:
            yield f"{said}: this {entry.type} does not follow from the entries before it"
        else:
            known.append(LoggedEvent(number, entry.at, entry.commitment, entry.digest, entry.type))
        if not (0 if is_announcement else begins_at) <= entry.at < ends_at:
            yield f"{said}: this {entry.type} has a time at which no server may write it"
        if entry.at < self.latest_at - LAG_MILLISECONDS:
            yield f"{said}: it is dated back: it has an earlier time than an entry before it"
        if entry.at > now + 1000 * CLOCKS_SECONDS:
            yield f"{said}: it has a time in the future"
        if seen_at is not None and (early := find_early(seen_at, entry.at)):
            yield f"{said}: a witness {early}"
        self.latest_at = max(self.latest_at, min(entry.at, now))

    def compare_shown(self, announced: DailyAnnounced, now: int, *, is_closed: bool) -> str | None:
        """Return what is wrong with a day that the server shows; None if it is the one in the log."""
        day, known = announced.day, self.events.get(announced.day)
        if known:
            self.unlogged.pop(day, None)
            ours = hash_chain.chain_event(hash_chain.START_HASH, day_stream(day), 1, announced, known[0].at)
            event = DayEvent.of(day_stream(day), 1, ours.type, known[0].at, ours.hash, announced.commitment)
            if known[0].fits(event):
                return None
            what = "other deals or another beacon" if event.commitment == known[0].commitment else "another commitment"
            return f"the server shows the day {day} with {what} than entry {known[0].number + 1} of the log"
        if is_closed:  # its record is checked
            return None
        if now - self.unlogged.setdefault(day, now) <= LAG_MILLISECONDS:
            return None
        return f"the server shows the day {day}, and the log has no entry of its announcement"

    def find_hidden(self, shown: set[str], now: int) -> list[str]:
        """Return the days in the log that are neither closed nor among those that the server shows.

        A day that was just announced is left out: another node of the server may not know it yet.
        """
        return sorted(
            day
            for day, known in self.events.items()
            if known and known[0].at < now - LAG_MILLISECONDS and day not in shown and day not in self.closed
        )

    def compare_record(self, number: int, day: str, events: Sequence[Mapping[str, Any]]) -> str | None:
        """Return what is wrong with the record of a closed day, compared with the entries before its close, or None.

        `number` is that of the entry of the close, and `events` are those of the record, whose hashes are right.
        """
        known, before = self.events.get(day, []), events[:-1]
        commitment = events[0]["data"]["commitment"]
        for version, (event, one) in enumerate(zip(before, known, strict=False), 1):
            head = bytes.fromhex(event["hash"])
            if not one.fits(
                DayEvent.of(day_stream(day), version, event["type"], event["recorded_at"], head, commitment)
            ):
                what = "commitment" if one.commitment != commitment else one.type
                return f"the record of {day} has another {what} than entry {one.number + 1} of the log"
        if len(known) > len(before):
            return f"the record of {day} lacks the {known[-1].type} of entry {known[-1].number + 1} of the log"
        if len(known) < len(before) and self.first is not None and number > self.first:
            return f"the record of {day} has a {before[len(known)]['type']}, and the log has no entry of that"
        return None

    def close(self, day: str) -> None:
        """Note that the record of a day was checked, and forget the closed days of long ago."""
        self.closed.append(day)
        self.unlogged.pop(day, None)
        oldest = dates.add_days(max([day, *self.events]), -DAYS_KEPT)
        for old in [one for one in self.closed if one < oldest]:
            self.events.pop(old, None)
            self.closed.remove(old)
