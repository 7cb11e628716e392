"""Monitoring a server: its log is append-only, its records match the log, and its boards match the records.

Each run reads the new entries, appends them to the tree of the earlier runs, and compares the root with the signed one.
This detects a log that was set back, altered or forked. Records are read as soon as they are public, verified, and
compared with their entries. At the end of a day, its boards are recomputed from the records.
"""

import tempfile
from collections.abc import AsyncIterator, Iterable, Sequence
from pathlib import Path

import msgspec

from cadogan.server.core import clock, dates
from cadogan.server.core.clock import Clock
from cadogan.server.core.eventlog.streams import DAYS, GAMES, RACES, id_of
from cadogan.server.operations.board_check import BoardCheck
from cadogan.server.operations.logged_records import RecordDiffers, compare_day, compare_game, compare_race
from cadogan.server.operations.monitor_state import MonitorState, Waiting
from cadogan.server.operations.old_entries import OldEntries
from cadogan.server.operations.watched_evenings import find_evening_faults
from cadogan.server.operations.watched_server import NotPublic, RecordWithheld, WatchedServer
from cadogan.server.subjects.audit.attestation import CLOCKS_SECONDS, Trust, find_early, read_trust
from cadogan.server.subjects.audit.recompute_leaderboards import entry_of, recompute
from cadogan.server.subjects.daily.day_record import file_name
from cadogan.server.subjects.evenings.evening_rules import evening_stream
from cadogan.server.subjects.transparency.checkpoints import (
    Checkpoint,
    Rotation,
    join_rotations,
    read_checkpoint,
    read_rotation,
    read_rotations,
    trusted_spans,
)
from cadogan.server.subjects.transparency.leaves import (
    Announcement,
    DayEvent,
    Ended,
    NextKey,
    NoEntry,
    Strike,
    read_entry,
)
from cadogan.server.subjects.transparency.notes import BadNote, read_note
from cadogan.server.subjects.transparency.tree import (
    ENTRIES,
    WIDTH,
    TreeEdge,
    edge_tiles,
    hashes_of,
    leaf_hash,
    read_bundle,
    width_of,
)

EVENINGS = evening_stream("")
DAYS_WATCHED = 7
"""For this many days after their close, boards are checked for runs that were disqualified later."""
LAG_MILLISECONDS = 10 * 60 * 1000
"""An older disqualification without an entry in the log is reported as missing."""
CLOCKS_MILLISECONDS = CLOCKS_SECONDS * 1000
EMBARGO_MILLISECONDS = 2 * 24 * 60 * 60 * 1000
"""A record that is not public after so long is reported: a day and its grace period are over by then."""
STANDSTILL_HOURS = 36
"""A log that has entries about days and has not grown for so long is reported."""
MAX_LOGGED = 10_000
"""The number of streams whose latest entry is remembered, to find a second entry about the same events."""


class Monitor:
    """A monitor of one server. Each run changes `state`, which the caller must store.

    `now` returns the time in milliseconds since 1970.
    """

    def __init__(self, server: WatchedServer, state: MonitorState, witnesses: Trust, now: Clock = clock.now) -> None:
        self._now = now
        self._server = server
        self.state = state
        self._witnesses = witnesses.witnesses

    async def check(self) -> AsyncIterator[str]:
        """Check once; yield each inconsistency as a sentence. Raises Unreachable."""
        text = await self._server.checkpoint()
        trust = await self._server.trust()  # after the checkpoint: the keys include its signer
        if not self.state.keys:
            self.state.keys = [key.text for key in trust.hosts]
        async for wrong in self._check_log(text, trust):
            self.state.findings += 1
            yield wrong

    async def _check_log(self, text: str, trust: Trust) -> AsyncIterator[str]:
        try:
            rotations = join_rotations(read_rotations(self.state.rotations), trust.rotations)
            spans = trusted_spans(read_trust(self.state.keys).hosts, rotations)
            if not {*trust.hosts} <= {span.key for span in spans}:
                yield "the server names other keys than before: somebody else may be the host now"
            note = read_note(text)
            checkpoint = read_checkpoint(note.text)
            signed = [span for span in spans if span.key.name == checkpoint.origin and note.is_signed_by(span.key)]
            unseen = [key.name for key in self._witnesses if key.is_checkable and not note.is_signed_by(key)]
        except BadNote as error:
            yield f"the checkpoint of the log cannot be trusted: {error}"
            return
        if not signed:
            yield f"the checkpoint of the log {checkpoint.origin} is not signed by the key of the host"
            return
        if not any(span.may_sign(checkpoint.size) for span in signed):
            yield f"the checkpoint of the log is signed by the key {signed[0].key.id.hex()}, which was rotated"
            return
        for name in unseen:
            yield f"the witness {name} has not signed the latest checkpoint"
        seen_at = min((at for key in self._witnesses if key.is_checkable for at in note.times_by(key)), default=None)
        early: list[tuple[int, DayEvent | Announcement]] = []
        before = self.state.size
        if (wrong := await self._read_new(checkpoint, rotations, seen_at, early)) is not None:
            yield wrong
            return
        if (wrong := self._find_standstill(before)) is not None:
            yield wrong
        for number, entry in early:
            for wrong in self._add_early(number, entry, seen_at):
                yield wrong
        async for wrong in self._check_announced():
            yield wrong
        for evening in await self._server.shown_evenings():
            for wrong in self.state.evenings.compare_shown(evening):
                yield wrong
        async for wrong in self._check_waiting():
            yield wrong
        async for wrong in self._check_strikes():
            yield wrong
        async for wrong in self._check_boards():
            yield wrong
        async for wrong in OldEntries(self._server, checkpoint).check(
            {entry.number for entry in self.state.waiting}, before
        ):
            yield wrong

    def _add_early(self, number: int, entry: DayEvent | Announcement, seen_at: int | None) -> Iterable[str]:
        if isinstance(entry, DayEvent):
            return self.state.announced.add(number, entry, seen_at, self._now())
        return self.state.evenings.add(number, entry, seen_at, self._now()) if entry.stream.startswith(EVENINGS) else ()

    def _find_standstill(self, before: int) -> str | None:
        """Return what is wrong with a log that has the same size as for days, or None.

        Each day is announced, opened and closed in the log, so that a log with such entries grows every day.
        """
        if self.state.size > before or self.state.grew_at is None:
            self.state.grew_at = self._now()
        hours = (self._now() - self.state.grew_at) // 3_600_000
        if self.state.announced.first is None or hours < STANDSTILL_HOURS:
            return None
        return f"the log stands still: it has had {self.state.size} entries for {hours} hours"

    async def _check_boards(self) -> AsyncIterator[str]:
        """Check that the boards that people see follow from the records."""
        check = BoardCheck(self._server, self.state.boards, self._now())
        await check.apply(self.state.strikes)
        async for wrong in check.compare_days():
            yield wrong
        if self.state.archived:
            return  # longer periods have runs whose records this monitor has never seen
        today = dates.day_of(self._now())
        shown = {day.day for day, _ in await self._server.shown_days() if day.day <= today}
        async for wrong in check.compare_periods(shown.difference(self.state.boards.days)):
            yield wrong

    async def _read_new(
        self,
        checkpoint: Checkpoint,
        rotations: Sequence[Rotation],
        seen_at: int | None,
        early: list[tuple[int, DayEvent | Announcement]],
    ) -> str | None:
        """Read the new entries; return what is wrong with them, or None. The state changes only if nothing is wrong.

        Entries about streams that have not ended are put into `early`, with their numbers.
        """
        state, size = self.state, checkpoint.size
        if size < state.size:
            return f"the log was set back: it had {state.size} entries, and has {size}"
        tiles = {tile: bytes.fromhex(state.edge["/".join(map(str, tile))]) for tile in edge_tiles(state.size)}
        edge = TreeEdge(state.size, tiles)
        known = [*hashes_of(tiles.get((0, state.size // WIDTH), b""))]
        found, disqualified, named = list[Waiting](), list[Strike](), [*state.rotations]
        stored = dict(state.edge)
        for bundle in range(state.size // WIDTH, -(-size // WIDTH)):
            entries = read_bundle(await self._server.tile(ENTRIES, bundle, width_of(ENTRIES, bundle, size)))
            first = bundle * WIDTH
            for number, entry in enumerate(entries, first):
                if number < state.size:
                    if leaf_hash(entry) != known[number - first]:
                        return f"entry {number + 1} of the log is another one than before"
                    continue
                edge.add(leaf_hash(entry))
                try:
                    read = read_entry(entry)
                    rotation = read_rotation(read.key) if isinstance(read, NextKey) else None
                except (NoEntry, BadNote) as error:
                    return f"entry {number + 1} of the log is none: {error}"
                if isinstance(read, Ended):
                    found.append(Waiting(number, *read, seen_at))
                elif isinstance(read, DayEvent | Announcement):
                    early.append((number, read))
                elif isinstance(read, Strike):
                    disqualified.append(read)
                elif rotation is not None and rotation.old.name == checkpoint.origin:
                    if rotation.number != number:
                        return f"entry {number + 1} of the log is the rotation of a key at another place"
                    named.append(read.key)
            stored.update(
                {f"{level}/{number}": hashes.hex() for (level, number), hashes in edge.take_changed().items()}
            )
        if edge.size != size or edge.root() != checkpoint.root:
            return f"the entries of the log do not lead to the root that the host has signed for {size} entries"
        if named != [rotation.note.as_text() for rotation in rotations if rotation.number < size]:
            return "the keys that the server names are not those that follow from the entries of the log"
        names = {f"{level}/{number}" for level, number in edge_tiles(size)}
        state.size, state.edge = size, {name: hashes for name, hashes in stored.items() if name in names}
        state.waiting, state.rotations = [*state.waiting, *found], named
        state.strikes += disqualified
        return None

    async def _check_announced(self) -> AsyncIterator[str]:
        """Check that the days that the server shows are those that the log says were announced."""
        announced = self.state.announced
        shown = await self._server.shown_days()
        for day, is_closed in shown:
            if (wrong := announced.compare_shown(day, self._now(), is_closed=is_closed)) is not None:
                yield wrong
        for name in announced.find_hidden({day.day for day, _ in shown}, self._now()):
            found = await self._server.shown_day(name)
            if found is None:
                yield f"the log says that the day {name} was announced, and the server does not show it"
            elif (wrong := announced.compare_shown(found[0], self._now(), is_closed=found[1])) is not None:
                yield wrong

    async def _check_waiting(self) -> AsyncIterator[str]:
        """Check the records that have become public; the other entries stay queued, also those that are withheld."""
        waiting, self.state.waiting = self.state.waiting, []
        while waiting:
            entry = waiting.pop(0)
            try:
                wrongs = await self._check(entry)
                if repeated := self._find_repeated(entry):
                    wrongs.append(repeated)
            except NotPublic:
                entry = self._queue_again(entry)
                if self._now() - (entry.asked_at or 0) <= EMBARGO_MILLISECONDS:
                    continue
                wrongs = [f"entry {entry.number + 1}, {entry.stream}: its record was not public for more than two days"]
            except RecordWithheld as withheld:
                self._queue_again(entry)
                wrongs = [f"entry {entry.number + 1}, {entry.stream}: the server does not show it: {withheld}"]
            except BaseException:
                self.state.waiting += [entry, *waiting]
                raise
            for wrong in wrongs:
                yield wrong

    def _queue_again(self, entry: Waiting) -> Waiting:
        asked = entry if entry.asked_at is not None else msgspec.structs.replace(entry, asked_at=self._now())
        self.state.waiting.append(asked)
        return asked

    def _find_repeated(self, entry: Waiting) -> str | None:
        """Return what is wrong with an entry that covers no more events of its stream than an earlier one, or None."""
        logged = self.state.logged
        before = logged.pop(entry.stream, 0)
        logged[entry.stream] = max(before, entry.version)
        if len(logged) > MAX_LOGGED:
            del logged[next(iter(logged))]
        if entry.version > before:
            return None
        return f"entry {entry.number + 1}, {entry.stream}: the log has an earlier entry of the same events"

    async def _check(self, entry: Waiting) -> list[str]:
        ended = Ended(entry.stream, entry.version, entry.digest)
        try:
            if entry.stream.startswith(GAMES):
                wrong = await self._check_game(entry, ended)
            elif entry.stream.startswith(DAYS):
                return await self._check_day(entry, ended)
            elif entry.stream.startswith(RACES):
                events = await compare_race(self._server, ended)
                self.state.verified += 1
                wrong = _find_early(entry, events[entry.version - 1].recorded_at)
            elif entry.stream.startswith(EVENINGS):
                return await self._check_evening(entry, ended)
            else:
                return []  # the end of another competition, which has no record: those of its games are checked
        except RecordDiffers as differs:
            wrong = f"entry {entry.number + 1}, {entry.stream}: {differs}"
        return [wrong] if wrong else []

    async def _check_game(self, entry: Waiting, ended: Ended) -> str | None:
        text = await self._server.game_record(id_of(entry.stream))
        if text is None:
            self.state.archived += 1
            return None
        verdict, record = compare_game(text, ended)
        if (wrong := _find_early(entry, record.events[entry.version - 1].recorded_at)) is not None:
            return wrong
        self.state.verified += 1
        day, last = record.events[0].data.get("day"), record.events[-1].data
        if day is not None and verdict.finished and last.get("counts", True):  # only such runs are on a board
            self.state.runs.setdefault(day, []).append(id_of(entry.stream))
            if day in self.state.boards.days and entry_of(record) is not None:
                return f"entry {entry.number + 1}, {entry.stream}: a ranked run, logged after its day {day} had closed"
        return None

    async def _check_evening(self, entry: Waiting, ended: Ended) -> list[str]:
        struck = {strike.run for strike in self.state.strikes if strike.struck}
        wrongs, events = await find_evening_faults(self._server, ended, self.state.evenings, struck)
        if not wrongs and (wrong := _find_early(entry, events[entry.version - 1].recorded_at)) is not None:
            return [wrong]
        self.state.verified += not wrongs
        return [f"entry {entry.number + 1}, {entry.stream}: {wrong}" for wrong in wrongs]

    async def _check_day(self, entry: Waiting, ended: Ended) -> list[str]:
        day = id_of(entry.stream)
        text = await self._server.day_record(day)
        verified, events = compare_day(text, ended)
        late, closed = verified.late, events[-1]
        if (wrong := _find_early(entry, events[entry.version - 1]["recorded_at"])) is not None:
            return [wrong]
        if (wrong := self.state.announced.compare_record(entry.number, day, events)) is not None:
            return [f"entry {entry.number + 1}, {entry.stream}: {wrong}"]
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / file_name(day)).write_bytes(text)
            for game in self.state.runs.get(day, []):
                if (run := await self._server.game_record(game)) is not None:
                    (Path(folder) / f"{game}.json").write_bytes(run)
            found = recompute(day, Path(folder))
        self.state.runs.pop(day, None)
        self.state.announced.close(day)
        self.state.verified += 1
        self.state.days = [*self.state.days, day][-DAYS_WATCHED:]
        wrongs = [f"{day}: {file.removesuffix('.json')}: {why}" for file, why in found.faults.items()]
        if differ := [board.board for board in found.boards if not board.agrees]:
            wrongs.append(f"the boards of {day} do not follow from its records: {', '.join(differ)}")
        else:
            self.state.boards.add_day(day, found.counted, found.struck)
        known = {strike.run for strike in self.state.strikes if strike.struck}
        for unlogged in sorted({*closed["data"].get("struck", {})} - known):
            wrongs.append(f"{day} closed without the run {unlogged}, and the log has no entry of that")
        return [*wrongs, f"{day} was closed more than a day after its end"] if "closed" in late else wrongs

    async def _check_strikes(self) -> AsyncIterator[str]:
        """Check that the log has an entry for every run that the boards of the last days show as disqualified.

        A time in the future is reported, too: it would put off this check.
        """
        latest = self._now() + CLOCKS_MILLISECONDS
        for strike in self.state.strikes:
            if strike.at > latest:
                yield f"the log says of the run {strike.run} that it was struck or put back at a time in the future"
        now = {strike.run: strike.struck for strike in self.state.strikes}
        for day in self.state.days:
            for run, at in (await self._server.struck(day)).items():
                if at > latest:
                    yield f"the board of {day} shows the run {run} as struck at a time in the future"
                elif not now.get(run) and self._now() - at > LAG_MILLISECONDS:
                    yield f"the board of {day} shows the run {run} as struck, and the log has no entry of that"


def _find_early(entry: Waiting, recorded_at: int) -> str | None:
    """Return what is wrong if a witness signed the entry before the last event that it covers, or None."""
    early = None if entry.seen_at is None else find_early(entry.seen_at, recorded_at)
    return early and f"entry {entry.number + 1}, {entry.stream}: a witness {early}"
