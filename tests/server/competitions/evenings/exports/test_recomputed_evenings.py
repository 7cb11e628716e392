"""The standing of an evening from its exported records alone: it agrees, and whatever was changed is named."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import json

from cadogan.server.cli.records import export
from cadogan.server.core.scoring.answer import score
from cadogan.server.subjects.admin.reports import RunStrikes
from cadogan.server.subjects.audit.attestation import NotAttested, Trust
from cadogan.server.subjects.audit.recompute_evening import recompute_evening
from cadogan.server.subjects.evenings.evening_record import EveningBroken, file_name
from cadogan.wire.admin import Why
from tests.harness.command_line import run
from tests.harness.evening_actions import MINUTE, open_room
from tests.harness.exported_evenings import Exported, Record, event_of
from tests.harness.hosts import WHY
from tests.harness.logging_ends import log_ends
from tests.harness.server_process import COMMAND
from tests.server.competitions.evenings.exports.played import play_an_evening


def test_an_evening_is_derived_again_from_its_export_and_its_digest_is_in_the_log(evening: Exported) -> None:
    found = evening.recompute()
    assert found.agrees, found
    assert len(found.runs) == len(evening.games) == 6
    assert found.attested is not None
    assert found.attested.key == evening.trust.hosts[0]
    assert found.attested.version == len(found.evening.record.events)
    said = run("recompute", evening.evening, "--from", str(evening.folder), "--trust", str(evening.host))
    assert said.exit_code == 0, said.output
    assert f"the digest agrees: {found.derived}, of 6 runs" in said.output
    said = run("verify", str(evening.file), "--trust", str(evening.host))
    assert (said.exit_code, "attested: entry" in said.output) == (0, True), said.output


def test_the_commands_check_an_evening_in_a_process_in_which_no_server_has_run(evening: Exported) -> None:
    trusted = ("--trust", str(evening.host))
    for arguments in (("recompute", evening.evening, "--from", str(evening.folder)), ("verify", str(evening.file))):
        ended = subprocess.run((COMMAND, *arguments, *trusted), check=False, capture_output=True, text=True)
        assert ended.returncode == 0, ended.stderr


async def test_a_stranger_downloads_what_gives_the_same_standing_and_sees_a_strike_of_which_no_server_was_told(
    sqlite_url: str, tmp_path: Path
) -> None:
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

        row = next(row for row in (await room.standing())["fields"][0]["rows"] if row["player"]["name"] == "ann")
        at_the_command_line = RunStrikes(room.first.server.database, room.clock, lambda _: None)
        await at_the_command_line.strike(None, row["shares"][0]["run"], True, Why(reason="cheating"))
        assert (await room.standing())["correction"]["struck"][0]["reason"] == "cheating"
        assert [name for name, _ in await room.events()][-1] == "corrected"


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


def test_a_wrong_digest_of_a_correction_and_an_event_after_the_end_are_named(evening: Exported) -> None:
    record = json.decode(evening.file.read_bytes())
    last, struck = record["events"][-1], event_of(record, "finalised")["data"]["struck"]
    data = {"version": "duplicate@1", "digest": "ab" * 32, "struck": struck}
    evening.forge(lambda one: one["events"].append({**last, "type": "evening_corrected", "data": data}))
    assert "the digest of the corrected standing: written abab" in evening.recompute().differences[0]
    void = {**last, "type": "evening_voided", "data": {"reason": "no", "by": "x"}}
    evening.change(lambda one: one["events"].append(void), sealed=False)
    with pytest.raises(EveningBroken, match="only corrections follow the final standing"):
        evening.recompute()


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


def name_another_version(record: Record) -> None:
    event_of(record, "finalised")["data"]["version"] = "duplicate@9"


def test_another_version_of_the_scoring_at_the_end_is_named(evening: Exported) -> None:
    evening.forge(name_another_version)
    found = evening.recompute()
    assert found.differences == ["the version of the standing: written 'duplicate@9', derived 'duplicate@1'"]
    assert not found.agrees


def test_a_decision_that_was_changed_in_the_export_is_named(evening: Exported) -> None:
    whole = evening.file.read_bytes()
    for change, sealed, why in BROKEN:
        evening.file.write_bytes(whole)
        evening.change(change, sealed=sealed)
        with pytest.raises(EveningBroken, match=why):
            evening.recompute()
    said = run("recompute", evening.evening, "--from", str(evening.folder))
    assert said.exit_code == 1


def test_a_decision_with_new_hashes_is_not_the_one_in_the_log_and_gives_another_standing(evening: Exported) -> None:
    whole = evening.file.read_bytes()
    for change in (change_the_digest, return_the_struck_run, leave_out_an_entrant, leave_out_the_void):
        evening.file.write_bytes(whole)
        evening.change(change, sealed=False)
        with pytest.raises(NotAttested, match="its proof does not hold"):
            evening.recompute()
        evening.change(lambda record: record.pop("proof"))
        found = evening.recompute()
        assert not found.agrees, change.__name__
        assert found.written != found.derived, change.__name__
        if change is leave_out_an_entrant:
            stranger = "it is no run of an entrant of this evening, of a round that was opened"
            assert stranger in found.faults.values()


def test_a_line_of_the_standing_that_was_changed_is_named(evening: Exported) -> None:
    whole = evening.file.read_bytes()
    player = json.decode(whole)["standing"]["standings"][0]["rows"][0]["player"]
    for change, name in (
        (change_a_total, f"the standing, standings of people, rows of first, {player}: written"),
        (change_a_share, "the standing, standings of people, stages of first, scores of evening-"),
        (leave_out_a_row, "written nothing"),
    ):
        evening.file.write_bytes(whole)
        evening.change(change)
        found = evening.recompute()
        assert (found.faults, found.written == found.derived, len(found.differences)) == ({}, True, 1), name
        assert name in found.differences[0]


def test_a_false_line_before_the_true_one_of_the_same_name_is_named(evening: Exported) -> None:
    def write_first(record: Record) -> None:
        rows = record["standing"]["standings"][0]["rows"]
        rows.insert(0, {**rows[-1], "place": 1, "total": "1/1", "shown": "100.00"})

    def write_twice(record: Record) -> None:
        record["standing"]["standings"].append(record["standing"]["standings"][0])

    def turn_round(record: Record) -> None:
        record["standing"]["standings"][0]["rows"].reverse()

    whole = evening.file.read_bytes()
    for change, why in ((write_first, "100.00"), (write_twice, " and "), (turn_round, "in another order")):
        evening.file.write_bytes(whole)
        evening.change(change)
        assert any(why in one for one in evening.recompute().differences), change
    evening.file.write_bytes(whole)
    evening.change(lambda record: record["runs"].append(record["runs"][0]))
    assert [*evening.recompute().faults.values()] == ["the record of the evening names this run twice"]


def test_a_run_that_is_missing_changed_exchanged_or_cut_is_named(evening: Exported) -> None:
    counted, other = evening.game_of("resigned"), evening.game_of("out_of_time")
    whole, theirs = counted.read_bytes(), other.read_bytes()
    counted.unlink()
    assert evening.recompute().faults == {counted.name: "the record of this run is missing"}
    counted.write_bytes(whole.replace(b'"result":"resigned"', b'"result":"lost"'))
    assert [*evening.recompute().faults] == [counted.name]
    counted.write_bytes(theirs)
    assert "a file of another name" in evening.recompute().faults[counted.name]
    counted.write_bytes(whole)
    evening.change(lambda record: record["runs"].remove(counted.stem))
    assert evening.recompute().faults == {counted.name: "the record of the evening does not name this run"}
    evening.change(lambda record: record["runs"].append(counted.stem))
    record = json.decode(theirs)
    last = next(number for number, one in enumerate(record["events"]) if one["type"] == "game_finished")
    other.write_bytes(json.encode({**record, "events": record["events"][:last]}))
    assert evening.recompute().faults == {other.name: "it has no end, and was cut"}
    other.write_bytes(theirs)
    assert evening.recompute().agrees
