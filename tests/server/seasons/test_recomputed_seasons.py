"""The table of a season from exported records alone: it agrees, its digest is in the log, and each lie is named."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from msgspec import json

from cadogan.server.cli.records import export
from cadogan.server.core import dates
from cadogan.server.core.eventlog import hash_chain
from cadogan.server.core.eventlog.events import canonical_json
from cadogan.server.subjects.audit.attestation import NotAttested, Trust
from cadogan.server.subjects.audit.recompute_season import (
    RecomputedSeason,
    SeasonBroken,
    file_name,
    recompute_season,
)
from tests.harness.command_line import run
from tests.harness.daily_actions import play_and_resign
from tests.harness.evening_actions import MINUTE, ROUND, Room, open_room
from tests.harness.hosts import WHY
from tests.harness.logging_ends import log_ends

pytestmark = pytest.mark.slow

SEASON = "2026-W47"
Record = dict[str, Any]


def chain(record: Record) -> None:
    """Compute the versions and hashes of a record's events again."""
    before = hash_chain.START_HASH
    for version, one in enumerate(record["events"], 1):
        head = (f"season/{record['season']}", version, one["type"], one["schema"], canonical_json(one["data"]))
        before = hash_chain.event_hash(before, *head, one["recorded_at"])
        one |= {"version": version, "hash": before.hex()}


class Exported(NamedTuple):
    """A season of one week, exported, and the key of its log."""

    folder: Path
    trust: Trust
    struck: str

    @property
    def file(self) -> Path:
        """The record of the season."""
        return self.folder / file_name(SEASON)

    def recompute(self) -> RecomputedSeason:
        """What the files give."""
        return recompute_season(SEASON, self.folder, self.trust)

    def change(self, change: Callable[[Record], None], *, proof: bool = False) -> None:
        """Change the record of the season, and compute its hashes again."""
        record = json.decode(self.file.read_bytes())
        change(record)
        chain(record)
        if not proof:
            record.pop("proof", None)
        self.file.write_bytes(json.encode(record))


async def play_a_season(room: Room) -> str:
    """A day and an evening of a week, in which ann and bob played; return the run that was struck then."""
    await room.announce(rounds=1, games=["klondike"])
    settings = {"on": True, "weeks": 1, "least_sessions": 1}
    assert (await room.people["host"].ask("PUT", "/house/seasons", settings))[0] == 200
    for name in ("ann", "bob"):
        await room.guest(name)
    await room.pass_time(10 * MINUTE)
    await room.play("ann", 1)
    await room.play("bob", 2)
    await room.pass_time(ROUND + 30 * MINUTE)
    assert (await room.standing())["state"] == "final"
    runs = []
    for name, moves in (("ann", 1), ("bob", 3)):
        person = room.people[name]
        runs.append(await person.enter(dates.day_of(room.clock.at), 1))
        await play_and_resign(person, runs[-1], moves)
    host = room.people["host"]
    assert (await host.ask("PUT", f"/house/runs/{runs[1]}/strike", WHY | {"struck": True}))[0] == 200
    server = room.first.server
    for moment in (dates.MILLISECONDS_PER_DAY, 3 * dates.MILLISECONDS_PER_DAY, 3 * dates.MILLISECONDS_PER_DAY):
        await server.seasons.run_due()
        room.clock.at += moment
        await server.challenges.write_due(room.clock.at)
    await server.seasons.run_due()
    return runs[1]


@pytest.fixture
async def exported(sqlite_url: str, tmp_path: Path) -> AsyncIterator[Exported]:
    """A season that was played, closed, logged and exported."""
    async with open_room(sqlite_url, count=1) as room:
        struck = await play_a_season(room)
        key = await log_ends(room.first.server)
        await export(room.first.server.settings, tmp_path / "records", room.clock)
        yield Exported(tmp_path / "records", Trust((key,)), struck)


async def test_a_season_is_derived_again_from_its_export_and_its_digest_is_in_the_log(exported: Exported) -> None:
    found = exported.recompute()
    assert found.agrees, found
    assert sorted(session.session.partition("-")[0] for session in found.sessions) == ["2026", "evening"]
    assert len(found.table["divisions"][0]["rows"]) == 2
    assert found.attested is not None
    assert found.attested.version == found.events
    host = exported.folder / "host.json"
    said = run("recompute", SEASON, "--from", str(exported.folder), "--trust", str(host))
    assert said.exit_code == 0, said.output
    assert f"the digest agrees: {found.derived}, of 2 sessions" in said.output
    assert "attested: entry" in said.output
    assert f"not shown: that these runs were struck, which the log has to say: {exported.struck}" in said.output
    assert "no record of the season before" not in said.output  # the first one opened without members
    assert run("recompute", SEASON, "--from", str(exported.folder), "--resolve").exit_code == 2


def close(record: Record) -> Record:
    """The data of the close."""
    found: Record = record["events"][-1]["data"]
    return found


def change_the_digest(record: Record) -> None:
    close(record)["digest"] = "ab" * 32


def change_the_next_divisions(record: Record) -> None:
    close(record)["next"][0].reverse()


def return_the_struck_run(record: Record) -> None:
    close(record)["struck"] = []


def leave_out_a_member(record: Record) -> None:
    joined = next(one for one in record["events"] if one["type"] == "member_joined")
    record["events"].remove(joined)


def count_no_early_week(record: Record) -> None:
    joined = next(one for one in record["events"] if one["type"] == "member_joined")
    joined["data"]["first_week"] = "2026-W47"


def join_twice(record: Record) -> None:
    joined = next(one for one in record["events"] if one["type"] == "member_joined")
    record["events"].insert(record["events"].index(joined), joined.copy())


def close_before_the_day_after(record: Record) -> None:
    at = dates.week_begins("2026-W48") - 1
    for one in record["events"]:
        one["recorded_at"] = min(one["recorded_at"], at)


def add_a_week(record: Record) -> None:
    record["events"][0]["data"]["weeks"].append("2026-W48")


def derive_the_close_again(exported: Exported) -> None:
    """Write the digest and the divisions that follow from the changed record, as a host can."""
    found = exported.recompute()
    exported.change(lambda record: close(record).update(digest=found.derived, next=found.table["next"]))


def add_a_member_who_played_nothing(record: Record) -> None:
    joined = next(one for one in record["events"] if one["type"] == "member_joined")
    record["events"].insert(1, joined | {"data": {"player": "aaaabbbbccccdddd", "rating": 1500}})


def let_a_stranger_leave(record: Record) -> None:
    left = {"type": "member_left", "data": {"player": "aaaabbbbccccdddd"}}
    record["events"].insert(-1, record["events"][-2] | left)


def name_another_version(record: Record) -> None:
    close(record)["version"] = "season@9"


FORGED: list[tuple[Callable[[Record], None], str]] = [
    (change_the_digest, ""),
    (change_the_next_divisions, "the divisions of the next season: written"),
    (return_the_struck_run, ""),
    (leave_out_a_member, "has a session, and is no member"),
    (count_no_early_week, "not all weeks count for"),
    (join_twice, "is a member twice"),
    (close_before_the_day_after, "it was closed earlier than 24 hours after its last week"),
    (add_a_week, "it was closed earlier than 24 hours after its last week"),
]


async def test_a_lie_in_the_record_of_a_season_is_not_in_the_log_and_is_named(exported: Exported) -> None:
    whole = exported.file.read_bytes()
    for change, why in FORGED:
        exported.file.write_bytes(whole)
        exported.change(change, proof=True)
        with pytest.raises(NotAttested, match="its proof does not hold"):
            exported.recompute()
        exported.file.write_bytes(whole)
        exported.change(change)
        found = exported.recompute()
        assert not found.agrees
        assert why in " ".join(found.differences), change.__name__
        assert why or found.written != found.derived, change.__name__


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (add_a_member_who_played_nothing, "aaaabbbbccccdddd has joined, and has played nothing"),
        (let_a_stranger_leave, "aaaabbbbccccdddd has left, and was no member"),
        (name_another_version, "the version of its table: written 'season@9', derived 'season@1'"),
    ],
)
async def test_a_lie_whose_digest_was_derived_again_is_named(
    exported: Exported, change: Callable[[Record], None], why: str
) -> None:
    exported.change(change)
    derive_the_close_again(exported)
    found = exported.recompute()
    assert (found.written == found.derived, found.faults, found.differences) == (True, {}, [why])


def set_the_settings(**settings: int) -> Callable[[Record], None]:
    """Return a change of the settings of a season."""
    return lambda record: record["events"][0]["data"]["settings"].update(settings)


def add_the_event_of_a_game(record: Record) -> None:
    record["events"].insert(-1, record["events"][-2] | {"type": "move_taken_back", "data": {}})


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (set_the_settings(best_of_week=0), "its settings: size, best_of_week and best_weeks are 1 or more"),
        (set_the_settings(best_weeks=0), "its settings: size, best_of_week and best_weeks are 1 or more"),
        (add_the_event_of_a_game, "event 4, move_taken_back: it is no event of a season"),
    ],
)
async def test_a_season_that_cannot_be_scored_or_has_events_of_something_else_is_refused(
    exported: Exported, change: Callable[[Record], None], why: str
) -> None:
    exported.change(change)
    with pytest.raises(SeasonBroken, match=why):
        exported.recompute()


async def test_a_season_after_the_year_9999_is_refused(exported: Exported) -> None:
    record = json.decode(exported.file.read_text().replace(SEASON, "9999-W52"))
    chain(record)
    (exported.folder / file_name("9999-W52")).write_bytes(json.encode(record))
    with pytest.raises(SeasonBroken, match="its season ends after the year 9999"):
        recompute_season("9999-W52", exported.folder, exported.trust)


async def test_a_changed_hash_a_cut_record_and_another_season_are_named(exported: Exported) -> None:
    whole = exported.file.read_bytes()
    exported.file.write_bytes(whole.replace(b'"season_opened"', b'"season_begun!"'))
    with pytest.raises(SeasonBroken, match="its hash does not fit"):
        exported.recompute()
    exported.file.write_bytes(whole)
    exported.change(lambda record: record["events"].pop())
    with pytest.raises(SeasonBroken, match="a season goes from its opening to its close"):
        exported.recompute()
    exported.file.write_bytes(whole.replace(b'"season":"2026-W47"', b'"season":"2026-W46"'))
    with pytest.raises(SeasonBroken, match="it is the record of '2026-W46'"):
        exported.recompute()


async def test_weeks_that_do_not_follow_each_other_and_an_evening_that_ended_after_the_close_are_named(
    exported: Exported,
) -> None:
    whole = exported.file.read_bytes()
    exported.change(lambda record: record["events"][0]["data"].update(weeks=["2026-W47", "2026-W49"]))
    with pytest.raises(SeasonBroken, match="its weeks do not follow each other"):
        exported.recompute()
    exported.file.write_bytes(whole)

    def close_before_the_evening(record: Record) -> None:
        for one in record["events"]:
            one["recorded_at"] = record["events"][0]["recorded_at"]

    exported.change(close_before_the_evening)
    (evening,) = exported.folder.glob("evening-*.json")
    assert exported.recompute().faults == {evening.name: "the season was closed before this evening was final"}


async def test_a_run_that_is_missing_or_was_changed_is_named(exported: Exported) -> None:
    runs = [file for file in exported.folder.glob("*.json") if len(file.stem) == 16]
    assert len(runs) == 4
    for file in runs:
        whole = file.read_bytes()
        file.unlink()
        found = exported.recompute()
        assert not found.agrees
        assert found.faults, file.name
        file.write_bytes(whole.replace(b'"result":"resigned"', b'"result":"lost"'))
        assert file.name in exported.recompute().faults
        file.write_bytes(whole)
    assert exported.recompute().agrees


async def test_a_day_or_an_evening_that_is_left_out_gives_another_digest(exported: Exported) -> None:
    for file in (exported.folder / "day-2026-11-20.json", *exported.folder.glob("evening-*.json")):
        whole = file.read_bytes()
        file.unlink()
        found = exported.recompute()
        assert found.written != found.derived, file.name
        file.write_bytes(whole)
    assert exported.recompute().agrees
    (exported.folder / "day-2026-11-20.json").unlink()
    derive_the_close_again(exported)
    said = run("recompute", SEASON, "--from", str(exported.folder)).output
    assert "not shown: that nothing was played on these days, of which no record is here: 2026-11-16" in said
    assert "2026-11-20" in said


async def test_an_opening_with_members_is_believed_and_named_without_the_season_before(exported: Exported) -> None:
    exported.change(open_with_a_member)
    assert run("recompute", SEASON, "--from", str(exported.folder)).output.count("not shown: who was a member") == 1


def open_with_a_member(record: Record) -> None:
    record["events"][0]["data"]["divisions"] = [[{"player": "eve", "rating": 0, "absent_seasons": 0}]]
