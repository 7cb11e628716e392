"""A whole day of two hundred players: what the server shows at its end follows from the exported records alone.

Every record is attested and witnessed, and whoever watches the log, at this node or at another, finds all of them.
"""

import random
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from itertools import chain as chained
from pathlib import Path
from typing import Any

import pytest
from msgspec import json, structs
from sqlalchemy import func, select

from cadogan.server.cli.records import HOST_FILE, export
from cadogan.server.config import Settings
from cadogan.server.core import dates, ids
from cadogan.server.core.database.tables import entries, events, games
from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.events import canonical_json, decode_event
from cadogan.server.core.eventlog.projections import EntryRow, project
from cadogan.server.core.ranking import BOTS_PREFIX, day_board, deal_board, deal_of, point_boards
from cadogan.server.core.storage.rebuild import DERIVED_TABLES, rebuild
from cadogan.server.operations.monitor import Monitor
from cadogan.server.operations.monitor_state import MonitorState
from cadogan.server.operations.watched_server import WatchedServer
from cadogan.server.subjects.admin.reports import RunStrikes
from cadogan.server.subjects.audit import game_audit
from cadogan.server.subjects.audit.attestation import Trust, attest, read_host
from cadogan.server.subjects.audit.recompute_leaderboards import recompute
from cadogan.server.subjects.daily.day_record import file_name
from cadogan.server.subjects.daily.days import SETTLE_MILLISECONDS
from cadogan.server.subjects.known_rules import known_rules
from cadogan.server.subjects.races.race_record import is_race_record
from cadogan.server.subjects.transparency.host_key import HostKey
from cadogan.server.subjects.transparency.notes import WITNESS, VerifierKey
from cadogan.server.subjects.transparency.witnesses import RemoteWitness, Witnesses
from cadogan.wire.admin import Why
from cadogan.wire.boards import Board
from cadogan.wire.bodies import Record
from cadogan.wire.codec import encode
from cadogan.wire.values import BoardEntry, StruckRun
from tests.harness import databases, fixed_server, simulated_players
from tests.harness.command_line import run
from tests.harness.daily_actions import end_left_runs
from tests.harness.game_steps import DAY, SECRET
from tests.harness.leaderboard_runs import sort_entries
from tests.harness.logging_ends import log_ends
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server
from tests.harness.sample_records import rules_of
from tests.harness.simulated_players import MIDNIGHT, MORNING, NIGHT, Player
from tests.harness.web_verifier import WebVerifier

PEOPLE, BOT_ACCOUNTS = 188, 12
RACES = {f"race {n}": range(n * 7, n * 7 + 2 + n) for n in range(5)}
"""Who races, by number: from two to six."""
DEALS = [f"{DAY}.{slot}" for slot in (1, 2, 3)]
CLOSES = dates.day_times(DAY, TEST_SETTINGS.daily_grace * 1000).closes_at


@dataclass
class Played:
    """The day when it has closed, and the export of its records."""

    running_server: RunningServer
    folder: Path
    late: Counter[str]
    settings: Settings
    witness: VerifierKey


async def strike_some(running_server: RunningServer) -> None:
    """Let a host strike every twentieth run, and put some of these back."""
    database = running_server.server.database
    acts = RunStrikes(database, running_server.clock, running_server.server.wake_ups.publish_disqualification)
    async with database.reading() as connection:
        chosen = [*await connection.scalars(select(entries.c.game_id).order_by(entries.c.game_id))][::20]
    for struck, some in ((True, chosen), (False, chosen[::3])):
        for game in some:
            await acts.strike(None, game, struck, Why(reason="cheating"))


async def play_the_day(running_server: RunningServer) -> Counter[str]:
    """All that the crowd does until the day has closed, and how often those who come after that are told what."""
    everybody = await fixed_server.people(running_server, map(str, range(PEOPLE)))
    everybody += await fixed_server.people(
        running_server, map(str, range(PEOPLE, PEOPLE + BOT_ACCOUNTS)), kind=ids.BOT_PREFIX
    )
    players = [Player(running_server, number, one.id) for number, one in enumerate(everybody)]
    chance = random.Random(20)
    morning = [chance.choice(MORNING)(player, slot) for player in players for slot in (1, 2) if chance.random() < 0.9]
    racing = [simulated_players.races([players[n] for n in racers], name) for name, racers in RACES.items()]
    await simulated_players.live(running_server, chained(morning, racing))
    running_server.clock.at = MIDNIGHT - 60_000
    await simulated_players.live(running_server, [chance.choice(NIGHT)(player, 3) for player in players])
    assert MIDNIGHT < running_server.clock.at < CLOSES
    await strike_some(running_server)
    running_server.clock.at = CLOSES
    late = Counter([await simulated_players.comes_late(player, slot) for player in players for slot in (1, 2, 3)])
    running_server.clock.at = CLOSES + SETTLE_MILLISECONDS
    await running_server.server.challenges.list_days(running_server.clock.at)
    await end_left_runs(running_server)
    return late


@pytest.fixture
async def witness(sqlite_template: Path, tmp_path: Path) -> AsyncIterator[RunningServer]:
    """Another server, which is a witness for the log of the one where the day is played."""
    host = HostKey(tmp_path / "host.key").make().verifier()
    settings = replace(TEST_SETTINGS, key_file=str(tmp_path / "witness.key"), witness_for=(host.text,))
    with databases.sqlite(tmp_path, sqlite_template) as url:
        async with open_server(replace(settings, database_url=url)) as one:
            yield one


@pytest.fixture
async def played(postgresql_url: str, tmp_path: Path, witness: RunningServer) -> AsyncIterator[Played]:
    """The day that has closed, and its export, with a proof in each record that its log was witnessed."""
    secrets = {dates.add_days(DAY, n): SECRET for n in range(-1, 8)}
    await fixed_server.seal(
        postgresql_url, secrets, {f"race-{simulated_players.race_called(name)}": "quatorze" for name in RACES}
    )
    fixed_server.write_calendar(tmp_path / "calendar.toml", simulated_players.CARD)
    settings = replace(TEST_SETTINGS, database_url=postgresql_url, fresh=86_400)
    settings = replace(settings, calendar=str(tmp_path / "calendar.toml"), key_file=str(tmp_path / "host.key"))
    async with open_server(settings) as running_server:
        running_server.clock.at = dates.day_times(DAY, 0).opens_at + 3_600_000
        late = await play_the_day(running_server)
        await log_ends(running_server.server)
        seen_by = witness.server.host_key.get().witness().verifier(WITNESS)
        remote = RemoteWitness(seen_by, f"{witness.url}/witness")
        witness.clock.at = running_server.clock.at
        assert await Witnesses(running_server.server.transparency, [remote]).ask() == 1
        settings = replace(settings, witnesses=(f"{remote.url}#{seen_by.text}",))
        await export(settings, tmp_path / "records", running_server.clock)
        yield Played(running_server, tmp_path / "records", late, settings, seen_by)


def runs(folder: Path) -> Iterator[EntryRow]:
    """The runs that count, from the records alone."""
    for file in sorted(folder.glob("*.json")):
        if file.name in (file_name(DAY), HOST_FILE) or is_race_record(file.read_bytes()):
            continue
        record = json.decode(file.read_bytes(), type=Record)
        facts = [
            (decode_event(one.type, one.schema, canonical_json(one.data)), one.recorded_at) for one in record.events
        ]
        yield from (row for row in project(record.stream, facts, known_rules()) if isinstance(row, EntryRow))


async def shown(running_server: RunningServer, board: str) -> bytes:
    """A whole board, as anybody gets it."""
    async with running_server.session.get(f"{running_server.url}/api/v1/boards/{board}?limit=200") as response:
        assert response.status == 200
        return await response.read()


async def expected(running_server: RunningServer, board: str, entries: list[EntryRow], struck: list[EntryRow]) -> bytes:
    """The same, made of the records' runs by sorting them."""
    places = sort_entries(entries)[board]
    known = await running_server.server.players.players(player for _, player, *_ in places)
    runs_of_deal = {run.player: run for run in entries if run.deal == deal_of(board)}
    shown_entries = []
    for rank, player, worth, moves, milliseconds, count in places:
        entry = BoardEntry(rank=rank, player=known[player], moves=moves, milliseconds=milliseconds)
        run = runs_of_deal.get(player)
        shown_entries.append(
            structs.replace(entry, score=worth, game=run.game_id, result=run.result, active=run.active)
            if run
            else structs.replace(entry, points=worth, runs=count)
        )
    names_of = {run.game_id: (deal_board(run.deal), day_board(run.day)) for run in struck}
    off = [run for run in struck if board in [BOTS_PREFIX * ids.is_bot(run.player) + n for n in names_of[run.game_id]]]
    names = await running_server.server.players.players(run.player for run in off)
    known_strikes = await running_server.server.disqualified_runs.among([run.game_id for run in off])
    listed = [
        StruckRun(game=row.game_id, player=names[row.player], reason="cheating", at=row.struck_at)
        for row in sorted(known_strikes.values(), key=lambda row: (-row.struck_at, row.game_id))
    ]
    return encode(Board(board=board, total=len(places), offset=0, entries=shown_entries, struck=listed))


async def rows(running_server: RunningServer) -> list[Any]:
    """Every row that follows from the log."""
    async with running_server.server.database.reading() as connection:
        return [sorted(map(repr, await connection.execute(table.select()))) for table in DERIVED_TABLES]


async def counted_events(running_server: RunningServer) -> Counter[str]:
    """How often everything has happened, by the log."""
    counts = select(events.c.type, func.count()).group_by(events.c.type)
    async with running_server.server.database.reading() as connection:
        return Counter(dict(map(tuple, await connection.execute(counts))))


async def count_left(running_server: RunningServer) -> int:
    """How many runs the close of the day has ended."""
    left = select(func.count()).select_from(games).where(games.c.day == DAY, games.c.status == "out_of_time")
    return int(await running_server.server.database.fetch_value(left))


async def unfair_views(running_server: RunningServer, entries: list[EntryRow]) -> list[str]:
    """Views of another's game by somebody whose own run of the deal still counted and had not ended."""
    ended = {(run.deal, run.player): run.finished_at for run in entries}
    found = []
    store = running_server.server.store
    async for name in store.stream_names("watched/"):
        _, deal, player = name.split("/")
        found += [name for view in await store.read(name) if view.recorded_at < ended.get((deal, player), 0)]
    return found


async def watch(node: RunningServer, witness: VerifierKey) -> MonitorState:
    """What a monitor knows of a node that it looks at for the first time, and finds nothing wrong with."""
    monitor = Monitor(WatchedServer(node.session, node.url), MonitorState(node.url, []), Trust(witnesses=(witness,)))
    assert [wrong async for wrong in monitor.check()] == []
    return monitor.state


@pytest.mark.heavy
@pytest.mark.both_databases
async def test_after_a_day_of_two_hundred_players_the_boards_follow_from_the_records_alone(
    played: Played, web_verifier: WebVerifier
) -> None:
    running_server, folder = played.running_server, played.folder
    assert set(played.late) == {"over", "day_not_open"}
    assert min(played.late.values()) > 100
    found = recompute(DAY, folder)
    assert found.agrees, found
    assert [board.board for board in found.boards] == [*DEALS, "day"]
    closed = (await running_server.server.store.read(f"daily/{DAY}"))[-1]
    struck_ids = json.decode(closed.data)["struck"]
    everybody = list(runs(folder))
    struck = [run for run in everybody if run.game_id in struck_ids]
    counted = [run for run in everybody if run.game_id not in struck_ids]
    assert len(counted) == len(found.counted) > 230
    assert len(struck) == len(found.struck) > 5
    names = {BOTS_PREFIX * ids.is_bot(run.player) + name for run in counted for name in boards_with(run)}
    assert len(names) == 2 * (3 + 3 + 4)
    for name in sorted(names):
        assert await shown(running_server, name) == await expected(running_server, name, counted, struck), name
    assert max(run.finished_at for run in counted) < CLOSES
    assert {run.result for run in counted} == {"won", "lost", "resigned"}
    assert await unfair_views(running_server, everybody) == []
    happened = await counted_events(running_server)
    assert happened["match_finished"] == len(RACES)
    assert min(happened[kind] for kind in ("challenge_spoiled", "game_watched", "move_taken_back")) > 50
    assert await count_left(running_server) > 50
    before = await rows(running_server)
    empty = [table.name for table, found in zip(DERIVED_TABLES, before, strict=True) if not found]
    assert empty == ["contests", "ratings"], "the day has no evening, and everything else"
    await rebuild(running_server.server.database, known_rules())
    assert await rows(running_server) == before
    host = json.decode((folder / HOST_FILE).read_bytes())
    records = [file for file in sorted(folder.glob("*.json")) if file.name not in (file_name(DAY), HOST_FILE)]
    races = [file for file in records if is_race_record(file.read_bytes())]
    records = [file for file in records if file not in races]
    assert len(races) == len(RACES)
    for file in (*races, folder / file_name(DAY)):
        theirs = web_verifier.verdict(file.read_bytes(), None, host)
        assert (theirs.consistent, theirs.attested, len(theirs.witnessed)) == (True, True, 1)
        said = run("verify", str(file), "--trust", str(folder / HOST_FILE))
        assert (said.exit_code, "witnessed: " in said.output) == (0, True), said.output
    assert len(records) > 500
    places = {file.name: place_in_the_log(file.read_bytes(), host) for file in records}
    assert [name for name, place in places.items() if place is None] == []
    assert len(set(places.values())) == len(records)
    for file in random.Random(22).sample(records, 40):
        record = json.decode(file.read_bytes())
        theirs = web_verifier.verdict(file.read_bytes(), rules_of(record["events"][0]["data"]["game"]), host)
        assert (theirs.consistent, theirs.attested, len(theirs.witnessed)) == (True, True, 1)
    async with open_server(played.settings) as other_node:
        other_node.clock.at = running_server.clock.at
        here, there = [await watch(node, played.witness) for node in (running_server, other_node)]
        assert here.waiting == []
        assert here.verified > len(records)  # the day's own; a run that was left may have an entry before its end, too
        assert (there.size, there.edge, there.verified) == (here.size, here.edge, here.verified)
    every_change_is_found(folder, [run.game_id for run in counted if run.result == "resigned"])


def place_in_the_log(text: bytes, host: Any) -> int | None:
    """The number of a record's entry; None unless it is consistent, attested to its end, and its log was witnessed."""
    verdict = game_audit.verify(text)
    found = attest(game_audit.read_record(text), verdict.hashes, read_host(host)) if verdict.consistent else None
    if found is None or found.key is None or (found.version, len(found.witnesses)) != (len(verdict.hashes), 1):
        return None
    return found.number


def boards_with(run: EntryRow) -> list[str]:
    """The names of the boards that a run counts on, without whose they are."""
    return [deal_board(run.deal), *point_boards(run.day, run.rules)]


def every_change_is_found(folder: Path, games: list[str]) -> None:
    """Change records, in any event, and even seal one anew: each change is found, by itself or by a board."""
    chance = random.Random(21)
    for game in chance.sample(games, 20):
        record = json.decode((folder / f"{game}.json").read_bytes())
        event = chance.choice(record["events"])
        event["recorded_at"] += chance.choice((-1, 1))
        assert not game_audit.verify(json.encode(record)).consistent
    file = folder / f"{chance.choice(games)}.json"
    whole = file.read_bytes()
    file.write_bytes(json.encode(slower(json.decode(whole, type=Record))))
    assert game_audit.verify(file.read_bytes()).consistent
    assert [board.agrees for board in recompute(DAY, folder).boards].count(False) == 2
    file.unlink()
    assert not recompute(DAY, folder).agrees
    file.write_bytes(whole)


def slower(record: Record) -> Record:
    """The record of a run that was given up a millisecond later, with its hash as if it had been so."""
    *events, last = record.events
    data = last.data | {name: last.data[name] + 1 for name in ("milliseconds", "active")}
    at = last.recorded_at + 1
    before = bytes.fromhex(events[-1].hash)
    digest = hash_chain.event_hash(
        before, record.stream, last.version, last.type, last.schema, canonical_json(data), at
    )
    changed = structs.replace(last, data=data, recorded_at=at, hash=digest.hex())
    return structs.replace(record, events=[*events, changed])
