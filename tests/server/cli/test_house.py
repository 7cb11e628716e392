"""The commands of hosts: what they do, what they print, and how they fail."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable

import pytest
from click.testing import Result

from server.core.clock import now
from server.database.connections import Database
from server.house.player_list import PlayerList
from server.players.accounts import Accounts
from tests.harness.command_line import run


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


def log(url: str) -> list[dict[str, object]]:
    """The acts that `cadogan house log` prints."""
    return [json.loads(line) for line in house(url, "log").output.splitlines()]


def test_the_first_host_is_made_by_name(url: str) -> None:
    assert run("host", "ada", "--database-url", url).output == "ada is a host now\n"
    assert "Ada (host)" in house(url, "find", "a").output
    (act,) = log(url)
    assert act["data"]["act"] == "role_changed"  # type: ignore[index]
    assert "by" not in act["data"]  # type: ignore[operator]
    assert re.fullmatch("[0-9a-f]{64}", str(act["hash"]))


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
        ("rename", "Rowdy", "Rowan"),
        ("entry", "--accounts", "invitation", "--no-guests"),
        ("invite", "--uses", "3"),
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
    told = log(url)
    assert [act["data"]["act"] for act in told] == [  # type: ignore[index]
        "role_changed",
        "role_changed",
        "suspended",
        "restored",
        "banned",
        "restored",
        "signed_out",
        "access_reset",
        "renamed",
        "entry_changed",
        "invited",
    ]
    assert (told[4]["data"]["reason"], told[4]["note"]) == ("cheating", "Third time.")  # type: ignore[index]
    assert "Rowan" in house(url, "find", "row").output


def test_a_ban_and_a_suspension_are_listed(url: str) -> None:
    house(url, "suspend", "Rowdy", "2999-01-01")
    assert "Rowdy (suspended until 2999-01-01 00:00 UTC)" in house(url, "find", "ro").output
    house(url, "ban", "Rowdy")
    assert "Rowdy (banned)" in house(url, "find", "ro").output


def test_a_player_is_named_by_the_id_too(url: str) -> None:
    found: list[str] = []

    async def look(database: Database) -> None:
        found.append(await PlayerList(database, now).named("Rowdy"))

    with_database(url, look)
    assert house(url, "ban", found[0]).exit_code == 0
    assert "banned" in house(url, "find", "ro").output
