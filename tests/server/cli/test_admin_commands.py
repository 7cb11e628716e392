"""The commands of hosts: what they do, what they print, and how they fail."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from cadogan.server.core.clock import now
from cadogan.server.core.database.connections import Database
from cadogan.server.core.database.tables import games
from cadogan.server.subjects.accounts.accounts import Accounts
from cadogan.server.subjects.admin.moderation import PlayerList
from cadogan.server.subjects.admin.reports import Reports
from cadogan.wire.reports import NewReport
from tests.harness.command_line import run

RULES = Path(__file__).parents[3] / "LICENSE"
"""A text of some length."""


def with_database(url: str, work: Callable[[Database], Awaitable[None]]) -> None:
    """Do something with the database at this address."""

    async def opened() -> None:
        database = Database(url)
        await work(database)
        await database.close()

    asyncio.run(opened())


@pytest.fixture
def url(database_url: str) -> str:
    """A database with two players, Ada and Rowdy."""

    async def fill(database: Database) -> None:
        for name in ("Ada", "Rowdy"):
            await Accounts(database, now).claim_name(None, name, "eight red queens")

    with_database(database_url, fill)
    return database_url


def house(url: str, *words: str) -> Result:
    """What `cadogan house` does with these words."""
    return run("house", *words, "--database-url", url)


def log(url: str) -> list[dict[str, Any]]:
    """The acts that `cadogan house log` prints."""
    return [json.loads(line) for line in house(url, "log").output.splitlines()]


def test_the_first_host_is_made_by_name(url: str) -> None:
    assert run("host", "ada", "--database-url", url).output == "ada is a host now\n"
    assert "Ada (host)" in house(url, "find", "a").output
    (act,) = log(url)
    assert act["data"]["act"] == "role_changed"
    assert "by" not in act["data"]
    assert re.fullmatch("[0-9a-f]{64}", str(act["hash"]))


def test_a_link_begins_with_the_address_that_people_type(url: str) -> None:
    addresses = "https://patience.example,http://patience.local:8000"
    made = run("house", "invite", "--database-url", url, CADOGAN_ORIGIN=addresses)
    assert made.output.startswith("https://patience.example/invited/")


def test_a_name_that_nobody_has_is_reported(url: str) -> None:
    for words in (("host", "Nobody"), ("house", "ban", "Nobody"), ("house", "rename", "Nobody", "Rowan")):
        failed = run(*words, "--database-url", url)
        assert failed.exit_code == 1
        assert "There is no such player" in failed.output
    assert log(url) == []


def test_every_act_is_done_and_printed_in_the_log(url: str) -> None:
    acts = [
        ("role", "Rowdy", "moderator"),
        ("role", "Rowdy", "player"),
        ("suspend", "Rowdy", "2999-01-01"),
        ("restore", "Rowdy"),
        ("ban", "Rowdy", "--reason", "cheating", "--note", "Third time."),
        ("restore", "Rowdy"),
        ("sign-out", "Rowdy"),
        ("reset", "Rowdy"),
        ("mute", "Rowdy", "2999-01-01"),
        ("unmute", "Rowdy"),
        ("rename", "Rowdy", "Rowan"),
        ("entry", "--accounts", "invitation", "--no-guests"),
        ("invite", "--uses", "3"),
        ("profile", "--name", "The club", "--rules", str(RULES)),
    ]
    printed = {}
    for words in acts:
        done = house(url, *words)
        assert done.exit_code == 0, done.output
        printed[words[0]] = done.output
    assert printed["reset"].startswith("/access/")
    assert printed["invite"].startswith("/invited/")
    assert printed["entry"] == "accounts: invitation; guests: no\n"
    assert house(url, "entry").output == printed["entry"]
    output = log(url)
    assert [act["data"]["act"] for act in output] == [
        "role_changed",
        "role_changed",
        "suspended",
        "restored",
        "banned",
        "restored",
        "signed_out",
        "access_reset",
        "muted",
        "unmuted",
        "renamed",
        "entry_changed",
        "invited",
        "profile_changed",
    ]
    assert (output[4]["data"]["reason"], output[4]["note"]) == ("cheating", "Third time.")
    assert output[-1]["data"]["changed"] == ["name", "rules"]
    assert house(url, "profile").output == printed["profile"]
    assert house(url, "profile", "--name", "x" * 41).exit_code == 1
    assert "Rowan" in house(url, "find", "row").output


def test_an_erased_player_is_on_the_list_that_is_kept_beside_backups(url: str) -> None:
    assert house(url, "erase", "Rowdy").exit_code == 1, "it asks first"
    assert house(url, "erased").output == ""
    assert house(url, "erase", "Rowdy", "--yes").exit_code == 0
    assert re.fullmatch(r"[a-z2-7]{16} \d+\n", house(url, "erased").output)
    assert "Rowdy" not in house(url, "find").output
    (act,) = log(url)
    assert act["data"]["act"] == "erased"


def test_a_game_is_struck_and_returned_by_its_id(url: str) -> None:
    game = "a" * 16

    async def play(database: Database) -> None:
        over = {"status": "won", "score": 52, "moves": 90, "milliseconds": 1, "started_at": 1, "finished_at": 2}
        row = {"id": game, "game": "klondike", "player": "b" * 16, "deal": "d", "ranked": False, **over}
        async with database.writing() as connection:
            await connection.execute(games.insert().values(row))

    with_database(url, play)
    for command in ("strike", "return"):
        done = house(url, command, game, "--reason", "cheating")
        assert done.exit_code == 0, done.output
    assert [(act["data"]["act"], act["data"]["game"]) for act in log(url)] == [
        ("run_struck", game),
        ("run_returned", game),
    ]
    failed = house(url, "strike", "nothing")
    assert (failed.exit_code, "There is no such game" in failed.output) == (1, True)


def test_reports_are_printed_and_settled(url: str) -> None:
    async def report(database: Database) -> None:
        ada, rowdy = [await PlayerList(database, now).named(name) for name in ("Ada", "Rowdy")]
        await Reports(database, now).report_player(ada, rowdy, NewReport(reason="name", text="Rude."))

    with_database(url, report)
    (waiting,) = [json.loads(line) for line in house(url, "reports").output.splitlines()]
    assert (waiting["reason"], waiting["text"]) == ("name", "Rude.")
    assert house(url, "settle", waiting["id"], "nothing").exit_code == 0
    assert house(url, "reports").output == ""
    assert [act["data"]["act"] for act in log(url)] == ["report_settled"]


def test_the_findings_about_a_day_that_is_not_there_are_refused(url: str) -> None:
    failed = house(url, "findings", "2020-01-01")
    assert (failed.exit_code, "There is no such day" in failed.output) == (1, True)


def test_a_mute_a_ban_and_a_suspension_are_listed(url: str) -> None:
    house(url, "suspend", "Rowdy", "2999-01-01")
    assert "Rowdy (suspended until 2999-01-01 00:00 UTC)" in house(url, "find", "ro").output
    house(url, "mute", "Rowdy", "2999-01-02")
    assert "(muted until 2999-01-02 00:00 UTC)" in house(url, "find", "ro").output
    house(url, "ban", "Rowdy")
    assert "Rowdy (banned)" in house(url, "find", "ro").output


def test_a_player_is_named_by_the_id_too(url: str) -> None:
    found: list[str] = []

    async def look(database: Database) -> None:
        found.append(await PlayerList(database, now).named("Rowdy"))

    with_database(url, look)
    assert house(url, "ban", found[0]).exit_code == 0
    assert "banned" in house(url, "find", "ro").output


def test_the_days_to_come_are_set_from_a_calendar_and_given_back_to_the_settings(url: str, tmp_path: Path) -> None:
    usual = house(url, "schedule").output
    calendar = tmp_path / "calendar.toml"
    calendar.write_text('[[deal]]\nlevel = "ours"\ngames = ["carpet", "maze"]\n')
    assert house(url, "schedule", "--games", str(calendar), "--grace", "60").output == (
        "ours: carpet, maze\ngrace: 60 seconds\n"
    )
    assert house(url, "schedule").output == "ours: carpet, maze\ngrace: 60 seconds\n"
    assert house(url, "schedule", "--grace", "90").output == "ours: carpet, maze\ngrace: 90 seconds\n"
    calendar.write_text('[[deal]]\nlevel = "ours"\ngames = ["no-such-game"]\n')
    failed = house(url, "schedule", "--games", str(calendar))
    assert (failed.exit_code, "no-such-game" in failed.output) == (1, True)
    assert house(url, "schedule", "--reset").output == usual
    assert [act["data"]["changed"] for act in log(url)] == [
        ["calendar", "grace"],
        ["grace"],
        ["calendar", "grace"],
    ]


def test_seasons_are_switched_on_shown_and_refused_with_a_size_out_of_bounds(url: str) -> None:
    off = house(url, "seasons").output.splitlines()
    assert off == ["on: no", "weeks: 12", "size: 12", "best-of-week: 5", "least-sessions: 10", "demotion: yes"]
    on = house(url, "seasons", "--on", "--size", "8", "--no-demotion").output.splitlines()
    assert on == ["on: yes", "weeks: 12", "size: 8", "best-of-week: 5", "least-sessions: 10", "demotion: no"]
    assert house(url, "seasons", "--off").output.splitlines()[:3] == ["on: no", "weeks: 12", "size: 8"]
    assert [act["data"] for act in log(url)] == [{"act": "seasons_changed"}] * 2
    refused = house(url, "seasons", "--size", "7")
    assert (refused.exit_code, "8<=x<=20" in refused.output) == (2, True)
    assert len(log(url)) == 2


def test_a_webhook_is_added_listed_and_removed(url: str) -> None:
    added = house(url, "webhook", "Chat", "https://hooks.example/x", "--topic", "day_closed").output
    id, secret = added.split()
    assert secret.startswith("whsec_")
    assert house(url, "webhooks").output == f"{id} Chat: standard, hooks.example, day_closed (0 waiting)\n"
    inside = house(url, "webhook", "Chat", "http://127.0.0.1/")
    assert (inside.exit_code, "inside the network" in inside.output) == (1, True)
    assert house(url, "webhook", "Chat", "no address").exit_code == 1
    assert house(url, "remove-webhook", id).exit_code == 0
    assert house(url, "webhooks").output == ""
    assert house(url, "remove-webhook", id).exit_code == 1
    assert [act["data"]["act"] for act in log(url)] == ["webhook_added", "webhook_removed"]


def test_an_older_backup_is_imported_without_those_on_the_list(url: str, tmp_path: Path) -> None:
    backup, erased = str(tmp_path / "backup"), tmp_path / "erased.txt"
    assert run("export", "--all", backup, "--database-url", url).exit_code == 0
    assert house(url, "erase", "Rowdy", "--yes").exit_code == 0
    erased.write_text(house(url, "erased").output)
    new = f"sqlite:///{tmp_path}/new.db"
    done = run("import", backup, "--erased", str(erased), "--database-url", new)
    assert done.exit_code == 0, done.output
    assert f"players of {erased} who are erased here, too: 1" in done.output
    assert "Ada" in house(new, "find").output
    assert "Rowdy" not in house(new, "find").output
    assert house(new, "erased").output == erased.read_text()


def test_a_list_with_a_line_that_is_none_is_refused_and_nothing_is_imported(url: str, tmp_path: Path) -> None:
    backup, erased = str(tmp_path / "backup"), tmp_path / "erased.txt"
    assert run("export", "--all", backup, "--database-url", url).exit_code == 0
    erased.write_text("aaaaaaaaaaaaaaaa 1795176000000\nRowdy\n")
    refused = run("import", backup, "--erased", str(erased), "--database-url", f"sqlite:///{tmp_path}/new.db")
    assert refused.exit_code == 1
    assert "line 2 is no id of a player" in refused.output
    assert not (tmp_path / "new.db").exists()


def test_nobody_has_analysed_games_and_so_nobody_can_be_restored(url: str) -> None:
    assert house(url, "analysts").output == ""
    failed = house(url, "restore-analyst", "Ada")
    assert (failed.exit_code, "was not dropped" in failed.output) == (1, True)
