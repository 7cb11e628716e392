"""The standing of an evening from its exported records alone: it agrees, and whatever was changed is named."""

import asyncio
import subprocess
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from cadogan.server.cli.records import export
from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.events import canonical_json
from cadogan.server.core.scoring.answer import score
from cadogan.server.subjects.admin.reports import RunStrikes
from cadogan.server.subjects.audit.attestation import NotAttested, Trust
from cadogan.server.subjects.audit.recompute_evening import RecomputedEvening, recompute_evening
from cadogan.server.subjects.evenings.evening_record import EveningBroken, file_name
from cadogan.wire.house import Why
from tests.harness.command_line import run
from tests.harness.evening_actions import MINUTE, PAUSE, ROUND, Room, open_room
from tests.harness.hosts import WHY
from tests.harness.logging_ends import log_ends
from tests.harness.server_process import COMMAND

Record = dict[str, Any]


async def play_an_evening(room: Room) -> None:
    """Three rounds: one run of the first is struck, the second is extended, the third is void; then it is final."""
    await room.announce(rounds=3, games=["klondike"] * 3)
    for name in ("ann", "bob", "cat"):
        await room.guest(name)
    await room.pass_time(10 * MINUTE)
    for moves, name in enumerate(("ann", "bob", "cat")):
        await room.play(name, moves)
    await room.pass_time(ROUND + PAUSE)
    await room.play("ann")
    await room.play("bob", 1, give_up=False)
    assert (await room.rule(kind="extend", seconds=60))[0] == 200
    await room.pass_time(ROUND + MINUTE + PAUSE)
    await room.play("cat", 2)
    assert (await room.rule(kind="void_round", round=3, reason="The light went out."))[0] == 200
    await room.pass_time(ROUND)
    runs = (await room.people["ann"].get(f"/evenings/{room.evening}/rounds/1"))[1]["runs"]
    worst = next(one["game"] for one in runs if one["player"]["name"] == "cat")
    assert (await room.people["host"].ask("PUT", f"/house/runs/{worst}/strike", WHY | {"struck": True}))[0] == 200
    await room.pass_time(30 * MINUTE)
    assert (await room.standing())["state"] == "final"


class Exported:
    """An exported evening, its files, and the key of its log."""

    def __init__(self, evening: str, folder: Path, trust: Trust) -> None:
        self.evening = evening
        self.folder = folder
        self.trust = trust

    @property
    def file(self) -> Path:
        """The record of the evening."""
        return self.folder / file_name(self.evening)

    @property
    def games(self) -> list[Path]:
        """The records of its runs, by name."""
        return [file for file in sorted(self.folder.glob("*.json")) if file not in (self.file, self.host)]

    @property
    def host(self) -> Path:
        """The file with the host's public keys."""
        return self.folder / "host.json"

    def recompute(self) -> RecomputedEvening:
        """What the files give."""
        return recompute_evening(self.evening, self.folder, self.trust)

    def change(self, change: Callable[[Record], None], *, sealed: bool = True) -> None:
        """Change the record of the evening; unless `sealed`, its hashes are computed again."""
        record = json.decode(self.file.read_bytes())
        change(record)
        before = hash_chain.START_HASH
        for version, one in enumerate([] if sealed else record["events"], 1):
            data = canonical_json(one["data"])
            stream = f"evening/{self.evening}"
            before = hash_chain.event_hash(
                before, stream, version, one["type"], one["schema"], data, one["recorded_at"]
            )
            one |= {"version": version, "hash": before.hex()}
        self.file.write_bytes(json.encode(record))

    def game_of(self, kind: str) -> Path:
        """The record of a run that ended like this."""
        return next(file for file in self.games if f'"result":"{kind}"'.encode() in file.read_bytes())


@pytest.fixture
async def exported(sqlite_url: str, tmp_path: Path) -> AsyncIterator[Exported]:
    """An evening that was played, logged and exported."""
    async with open_room(sqlite_url, count=1) as room:
        await play_an_evening(room)
        key = await log_ends(room.first.server)
        await export(room.first.server.settings, tmp_path / "records", room.clock)
        yield Exported(room.evening, tmp_path / "records", Trust((key,)))


async def test_an_evening_is_derived_again_from_its_export_and_its_digest_is_in_the_log(exported: Exported) -> None:
    found = exported.recompute()
    assert found.agrees, found
    assert len(found.runs) == len(exported.games) == 6
    assert found.attested is not None
    assert found.attested.key == exported.trust.hosts[0]
    assert found.attested.version == len(found.evening.record.events)
    said = run("recompute", exported.evening, "--from", str(exported.folder), "--trust", str(exported.host))
    assert said.exit_code == 0, said.output
    assert f"the digest agrees: {found.derived}, of 6 runs" in said.output
    said = run("verify", str(exported.file), "--trust", str(exported.host))
    assert (said.exit_code, "attested: entry" in said.output) == (0, True), said.output


async def test_the_commands_check_an_evening_in_a_process_in_which_no_server_has_run(exported: Exported) -> None:
    trusted = ("--trust", str(exported.host))
    for arguments in (("recompute", exported.evening, "--from", str(exported.folder)), ("verify", str(exported.file))):
        ended = await asyncio.to_thread(
            subprocess.run, (COMMAND, *arguments, *trusted), check=False, capture_output=True, text=True
        )
        assert ended.returncode == 0, ended.stderr


async def test_a_stranger_downloads_over_http_what_gives_the_same_standing(sqlite_url: str, tmp_path: Path) -> None:
    async with open_room(sqlite_url, count=1) as room:
        await room.announce()
        assert (await room.first.stranger().get(f"/evenings/{room.evening}/record"))[0] == 403
        await play_an_evening(room)
        key = await log_ends(room.first.server)
        stranger = room.first.stranger()
        status, record = await stranger.get(f"/evenings/{room.evening}/record")
        assert status == 200, record
        (tmp_path / file_name(room.evening)).write_bytes(json.encode(record))
        for game in record["runs"]:
            answer = await stranger.get(f"/games/{game}/record")
            assert answer[0] == 200
            (tmp_path / f"{game}.json").write_bytes(json.encode(answer[1]))
        found = recompute_evening(room.evening, tmp_path, Trust((key,)))
    assert found.agrees, found
    assert found.attested is not None
    assert found.attested.key == key


async def test_a_strike_and_a_return_after_the_end_are_corrections_that_are_recomputed(
    sqlite_url: str, tmp_path: Path
) -> None:
    async with open_room(sqlite_url, count=1) as room:
        await play_an_evening(room)
        final = await room.standing()
        assert "correction" not in final
        game = next(row["shares"][0]["run"] for row in final["fields"][0]["rows"] if row["player"]["name"] == "ann")
        host = room.people["host"]
        await room.pass_time(MINUTE)
        await log_ends(room.first.server)
        assert (await host.ask("PUT", f"/house/runs/{game}/strike", WHY | {"struck": True}))[0] == 200
        await room.first.server.wait_until_idle()
        stored = await room.first.server.store.read(f"evening/{room.evening}")
        assert [event.type for event in stored[-2:]] == ["evening_finalised", "evening_corrected"]

        struck = await room.standing()
        assert (struck["digest"], struck["fields"]) == (final["digest"], final["fields"])
        (why,) = struck["correction"]["struck"]
        assert (why["game"], why["player"]["name"], why["round"], why["reason"]) == (game, "ann", 1, WHY["reason"])
        status, form = await host.get(f"/evenings/{room.evening}/form")
        answer = score(json.encode(form))
        assert (status, answer["digest"], answer["corrected"]["digest"]) == (
            200,
            final["digest"],
            struck["correction"]["digest"],
        )
        key = await log_ends(room.first.server)
        await export(room.first.server.settings, tmp_path / "struck", room.clock)
        found = recompute_evening(room.evening, tmp_path / "struck", Trust((key,)))
        assert found.agrees, found
        assert found.attested is not None
        assert found.attested.version == len(stored)

        worst = json.decode(stored[-2].data)["struck"][0]
        assert (await host.ask("PUT", f"/house/runs/{worst}/strike", WHY | {"struck": False}))[0] == 200
        await room.first.server.wait_until_idle()
        returned = (await room.standing())["correction"]["returned"]
        assert [(one["game"], one["player"]["name"]) for one in returned] == [(worst, "cat")]
        await export(room.first.server.settings, tmp_path / "returned", room.clock)
        assert recompute_evening(room.evening, tmp_path / "returned", Trust()).agrees

        for run_of, off in ((game, False), (worst, True)):
            await host.ask("PUT", f"/house/runs/{run_of}/strike", WHY | {"struck": off})
        await room.first.server.wait_until_idle()
        again = await room.standing()
        assert (again["fields"], again.get("corrected"), again.get("correction")) == (final["fields"], None, None)


async def test_a_strike_of_which_no_server_was_told_is_a_correction_for_who_looks_next(sqlite_url: str) -> None:
    async with open_room(sqlite_url, count=1) as room:
        await play_an_evening(room)
        row = next(row for row in (await room.standing())["fields"][0]["rows"] if row["player"]["name"] == "ann")
        at_the_command_line = RunStrikes(room.first.server.database, room.clock, lambda _: None)
        await at_the_command_line.strike(None, row["shares"][0]["run"], True, Why(reason="cheating"))
        assert (await room.standing())["correction"]["struck"][0]["reason"] == "cheating"
        assert [name for name, _ in await room.events()][-1] == "corrected"


async def test_a_wrong_digest_of_a_correction_and_an_event_after_the_end_are_named(exported: Exported) -> None:
    record = json.decode(exported.file.read_bytes())
    last, struck = record["events"][-1], event_of(record, "finalised")["data"]["struck"]
    data = {"version": "duplicate@1", "digest": "ab" * 32, "struck": struck}
    exported.change(lambda one: one["events"].append({**last, "type": "evening_corrected", "data": data}), sealed=False)
    exported.change(lambda one: one.pop("proof"))
    assert "the digest of the corrected standing: written abab" in exported.recompute().differences[0]
    void = {**last, "type": "evening_voided", "data": {"reason": "no", "by": "x"}}
    exported.change(lambda one: one["events"].append(void), sealed=False)
    with pytest.raises(EveningBroken, match="only corrections follow the final standing"):
        exported.recompute()


async def test_an_evening_that_its_leader_voided_is_recomputed_as_void(sqlite_url: str, tmp_path: Path) -> None:
    async with open_room(sqlite_url, count=1) as room:
        await room.announce()
        await room.guest("ann")
        await room.pass_time(10 * MINUTE)
        await room.play("ann")
        await room.rule(kind="void", reason="No light.")
        await export(room.first.server.settings, tmp_path, room.clock)
        found = recompute_evening(room.evening, tmp_path, Trust())
    assert (found.agrees, found.derived, len(found.runs)) == (True, None, 1)


def event_of(record: Record, kind: str) -> Record:
    """The first event of this kind."""
    found: Record = next(one for one in record["events"] if one["type"] == f"evening_{kind}")
    return found


def extend_more(record: Record) -> None:
    event_of(record, "round_extended")["data"]["seconds"] = 120


def leave_out_the_void(record: Record) -> None:
    record["events"] = [one for one in record["events"] if one["type"] != "evening_round_voided"]


def change_a_secret(record: Record) -> None:
    event_of(record, "round_closed")["data"]["secret"] = "ab" * 32


def close_early(record: Record) -> None:
    event_of(record, "round_closed")["recorded_at"] -= 1


def change_the_digest(record: Record) -> None:
    event_of(record, "finalised")["data"]["digest"] = "ab" * 32


def return_the_struck_run(record: Record) -> None:
    del event_of(record, "finalised")["data"]["struck"]


def leave_out_an_entrant(record: Record) -> None:
    joined = event_of(record, "entrant_joined")
    record["events"] = [one for one in record["events"] if one is not joined]


def change_a_total(record: Record) -> None:
    record["standing"]["standings"][0]["rows"][0]["total"] = "9/10"


def change_a_share(record: Record) -> None:
    record["standing"]["standings"][0]["stages"][0]["scores"][0]["value"] = "9/10"


def leave_out_a_row(record: Record) -> None:
    del record["standing"]["standings"][0]["rows"][-1]


BROKEN: list[tuple[Callable[[Record], None], bool, str]] = [
    (extend_more, True, "event .*, evening_round_extended: its hash does not fit"),
    (extend_more, False, "event .*, evening_round_closed: the clock writes it when it is due"),
    (leave_out_the_void, True, "event .*, evening_round_closed: its hash does not fit"),
    (change_a_secret, False, "event .*, evening_round_closed: the secret of round 1 does not fit its commitment"),
    (close_early, False, "event .*, evening_round_closed: the clock writes it when it is due"),
]


@pytest.mark.parametrize(("change", "sealed", "why"), BROKEN)
async def test_a_decision_that_was_changed_in_the_export_is_named(
    exported: Exported, change: Callable[[Record], None], sealed: bool, why: str
) -> None:
    exported.change(change, sealed=sealed)
    with pytest.raises(EveningBroken, match=why):
        exported.recompute()
    said = run("recompute", exported.evening, "--from", str(exported.folder))
    assert said.exit_code == 1


@pytest.mark.parametrize("change", [change_the_digest, return_the_struck_run, leave_out_an_entrant, leave_out_the_void])
async def test_a_decision_with_new_hashes_is_not_the_one_in_the_log_and_gives_another_standing(
    exported: Exported, change: Callable[[Record], None]
) -> None:
    exported.change(change, sealed=False)
    with pytest.raises(NotAttested, match="its proof does not hold"):
        exported.recompute()
    exported.change(lambda record: record.pop("proof"))
    found = exported.recompute()
    assert not found.agrees
    assert found.written != found.derived


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (change_a_total, "the standing, standings of people, rows of first, {player}: written"),
        (change_a_share, "the standing, standings of people, stages of first, scores of evening-"),
        (leave_out_a_row, "written nothing"),
    ],
)
async def test_a_line_of_the_standing_that_was_changed_is_named(
    exported: Exported, change: Callable[[Record], None], name: str
) -> None:
    player = json.decode(exported.file.read_bytes())["standing"]["standings"][0]["rows"][0]["player"]
    exported.change(change)
    found = exported.recompute()
    assert (found.faults, found.written == found.derived, len(found.differences)) == ({}, True, 1)
    assert name.format(player=player) in found.differences[0]


async def test_a_run_that_is_missing_changed_exchanged_or_cut_is_named(exported: Exported) -> None:
    counted, other = exported.game_of("resigned"), exported.game_of("out_of_time")
    whole, theirs = counted.read_bytes(), other.read_bytes()
    counted.unlink()
    assert exported.recompute().faults == {counted.name: "the record of this run is missing"}
    counted.write_bytes(whole.replace(b'"result":"resigned"', b'"result":"lost"'))
    assert [*exported.recompute().faults] == [counted.name]
    counted.write_bytes(theirs)
    assert "a file of another name" in exported.recompute().faults[counted.name]
    counted.write_bytes(whole)
    exported.change(lambda record: record["runs"].remove(counted.stem))
    assert exported.recompute().faults == {counted.name: "the record of the evening does not name this run"}
    exported.change(lambda record: record["runs"].append(counted.stem))
    record = json.decode(theirs)
    last = next(number for number, one in enumerate(record["events"]) if one["type"] == "game_finished")
    other.write_bytes(json.encode({**record, "events": record["events"][:last]}))
    assert exported.recompute().faults == {other.name: "it has no end, and was cut"}
    other.write_bytes(theirs)
    assert exported.recompute().agrees


async def test_a_run_of_somebody_who_was_not_in_is_named(exported: Exported) -> None:
    exported.change(leave_out_an_entrant, sealed=False)
    exported.change(lambda record: record.pop("proof"))
    assert (
        "it is no run of an entrant of this evening, of a round that was opened" in exported.recompute().faults.values()
    )
