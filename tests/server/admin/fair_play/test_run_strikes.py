"""Strikes: a struck run is on no board and in no figure, everybody may know why, and it comes back as it was."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from cadogan.server.cli.records import export
from cadogan.server.core.storage.rebuild import rebuild
from cadogan.server.subjects.audit.recompute_leaderboards import recompute
from cadogan.server.subjects.known_rules import known_rules
from tests.harness.daily_actions import DAY, close_day, play_and_resign
from tests.harness.hosts import log_of, player, with_role
from tests.harness.patience import soon
from tests.harness.people import Person
from tests.harness.race_actions import get_race, make_race
from tests.harness.running_server import RunningServer
from tests.harness.two_nodes import TwoNodes

DEAL = f"deal:{DAY}.1"
BOARDS = (DEAL, f"day:{DAY}", "week:2026-W47", "month:2026-11", "all")
WHY = {"reason": "cheating", "note": "Every move of another run."}


async def strike(person: Person, game: str, struck: bool = True, **why: str) -> tuple[int, Any]:
    """The answer to somebody who strikes a run, or puts it back."""
    return await person.ask("PUT", f"/house/runs/{game}/strike", {"struck": struck, **WHY, **why})


async def ran(running_server: RunningServer, name: str, moves: int = 12) -> tuple[Person, str]:
    """A player of this name and their finished run of the first deal of the day."""
    person = await player(running_server, name)
    game = await person.enter()
    await play_and_resign(person, game, moves)
    return person, game


async def figures(person: Person, game: str) -> list[Any]:
    """Everything that counts a player's run."""
    shown = [(await person.get(f"/boards/{board}"))[1] for board in BOARDS]
    profile = (await person.get(f"/players/{person.id}"))[1]
    result = (await person.get(f"/games/{game}/result"))[1]
    return [*shown, profile, result]


async def test_the_card_of_the_day_does_not_count_a_struck_run(running_server: RunningServer) -> None:
    async def shown() -> int:
        runs: int = (await mod.get("/dailies/today"))[1]["deals"][0]["runs"]
        return runs

    mod = await with_role(running_server, "Mo", "moderator")
    _, game = await ran(running_server, "Bob")
    await ran(running_server, "Ann")
    assert await shown() == 2
    await strike(mod, game)
    assert await shown() == 1
    await strike(mod, game, struck=False)
    assert await shown() == 2


@pytest.mark.both_databases
async def test_a_struck_run_is_on_no_board_and_in_no_figure_and_comes_back_as_it_was(
    running_server: RunningServer,
) -> None:
    mod = await with_role(running_server, "Mo", "moderator")
    (bob, game), (ann, _) = await ran(running_server, "Bob"), await ran(running_server, "Ann", moves=11)
    before = await figures(bob, game)
    status, answer = await strike(mod, game)
    at = running_server.clock.at
    assert (status, answer["struck"], answer["player"]["name"]) == (200, {"reason": "cheating", "at": at}, "Bob")
    *boards, profile, result = await figures(bob, game)
    for board in boards:
        assert [entry["player"]["name"] for entry in board["entries"]] == ["Ann"]
        assert (board["total"], "you" in board) == (1, False)
    shown = {"game": game, "reason": "cheating", "at": at, "player": {"id": bob.id, "name": "Bob", "guest": False}}
    assert [board.get("struck") for board in boards] == [[shown], [shown], None, None, None]
    assert [profile[name] for name in ("streak", "best_streak", "played", "by_game", "weeks")] == [0, 0, 0, [], []]
    assert (result["struck"], "place" in result, "points" in result) == (answer["struck"], False, False)
    assert result["streak"] == 0
    assert (await ann.get(f"/boards/{DEAL}"))[1]["you"]["rank"] == 1
    assert (await strike(mod, game, struck=False))[0] == 200
    assert await figures(bob, game) == before


async def test_the_record_of_a_struck_run_stays_and_proves_what_it_proved(sqlite_server: RunningServer) -> None:
    mod, (bob, game) = await with_role(sqlite_server, "Mo", "moderator"), await ran(sqlite_server, "Bob")
    stored = await sqlite_server.server.store.read(f"game/{game}")
    await strike(mod, game)
    assert await sqlite_server.server.store.read(f"game/{game}") == stored
    await close_day(sqlite_server)
    status, record = await bob.get(f"/games/{game}/record")
    assert (status, len(record["events"])) == (200, len(stored))


@pytest.mark.parametrize("role", ["moderator", "host"])
async def test_a_struck_run_of_an_open_day_shows_no_card(sqlite_server: RunningServer, role: str) -> None:
    staff, (_, game) = await with_role(sqlite_server, "Ada", role), await ran(sqlite_server, "Bob")
    _, answer = await strike(staff, game)
    _, seen = await staff.get(f"/house/runs/{game}")
    assert seen == answer
    assert not {"piles", "secret", "commitment", "nonce", "deal"} & seen.keys()
    _, view = await staff.get(f"/games/{game}")
    assert (view["sight"], "piles" in view) == ("meter", False)
    assert (await staff.get(f"/games/{game}/replay"))[1]["code"] == "spoiler_embargo"


async def test_only_a_run_that_is_over_and_of_nobody_with_a_role_is_struck(sqlite_server: RunningServer) -> None:
    host, (bob, game) = await with_role(sqlite_server, "Ada", "host"), await ran(sqlite_server, "Bob")
    running = await bob.enter(slot=2)
    mo, hers = await ran(sqlite_server, "Mo")
    await host.ask("PUT", f"/house/players/{mo.id}/role", {"role": "moderator", "reason": "request"})
    for one, code in (
        (running, "conflict"),
        (hers, "forbidden"),
        ("aaaaaaaaaaaaaaaa", "not_found"),
        ("x", "not_found"),
    ):
        assert (await strike(host, one))[1]["code"] == code
    assert (await strike(bob, game))[1]["code"] == "forbidden"
    assert (await host.get("/house/runs/aaaaaaaaaaaaaaaa"))[1]["code"] == "not_found"
    assert [act["act"] for act in await log_of(host)] == ["role_changed", "role_changed"]


async def test_a_strike_and_a_return_are_in_the_log_once(sqlite_server: RunningServer) -> None:
    host, (bob, game) = await with_role(sqlite_server, "Ada", "host"), await ran(sqlite_server, "Bob")
    for struck in (True, True, False, False):
        assert (await strike(host, game, struck))[0] == 200
    returned, off, *_ = await log_of(host)
    assert (returned["act"], off["act"]) == ("run_returned", "run_struck")
    for act in (returned, off):
        assert (act["by"]["name"], act["player"]["id"], act["game"]) == ("Ada", bob.id, game)
        assert (act["reason"], act["note"]) == (WHY["reason"], WHY["note"])


async def test_a_run_of_somebody_who_has_left_is_struck_with_its_note(sqlite_server: RunningServer) -> None:
    host, guest = await with_role(sqlite_server, "Ada", "host"), await sqlite_server.guest()
    game = await guest.enter()
    await play_and_resign(guest, game, moves=3)
    async with sqlite_server.server.database.writing() as connection:
        await connection.exec_driver_sql(f"DELETE FROM players WHERE id = '{guest.id}'")
    assert (await strike(host, game))[0] == 200
    assert (await log_of(host))[0]["note"] == WHY["note"]
    assert (await host.get(f"/boards/{DEAL}"))[1]["total"] == 0


async def test_a_casual_game_that_was_struck_is_in_no_statistics(sqlite_server: RunningServer) -> None:
    mod, bob = await with_role(sqlite_server, "Mo", "moderator"), await player(sqlite_server, "Bob")
    game = await bob.deal("klondike")
    await play_and_resign(bob, game, moves=11)
    assert (await bob.get(f"/players/{bob.id}"))[1]["played"] == 1
    assert (await strike(mod, game))[0] == 200
    assert (await bob.get(f"/players/{bob.id}"))[1]["by_game"] == []


async def test_viewers_of_a_board_on_every_node_read_it_again(two_nodes: TwoNodes) -> None:
    mod, (_, game) = await with_role(two_nodes.first, "Mo", "moderator"), await ran(two_nodes.first, "Bob")
    two_nodes.first.server.flush()
    await two_nodes.first.server.wait_until_idle()
    async with (
        two_nodes.first.stranger().connect() as here,
        two_nodes.second.stranger().connect() as there,
        asyncio.timeout(soon()),
    ):
        for watching in (here, there):
            await watching.request("watch_board", board=DEAL)
            await watching.request("watch_board", board="deal:2026-11-20.2")
        for struck, total in ((True, 0), (False, 1)):
            await strike(mod, game, struck)
            for watching in (here, there):
                changed = await watching.receive("board_changed")
                assert (changed["board"], changed["total"], changed["entries"]) == (DEAL, total, [])


async def test_a_struck_run_leaves_the_progress_of_its_open_day_on_every_node_and_returns(two_nodes: TwoNodes) -> None:
    mod = await with_role(two_nodes.first, "Mo", "moderator")
    (_, game), (_, other) = await ran(two_nodes.first, "Bob"), await ran(two_nodes.first, "Ann", moves=11)
    async with (
        two_nodes.first.stranger().connect() as here,
        two_nodes.second.stranger().connect() as there,
        asyncio.timeout(soon()),
    ):
        for watching in (here, there):
            assert {run["game"] for run in (await watching.watch_day(DAY))["games"]} == {game, other}
        gone, back = (True, "cheating", {other}), (False, None, {game, other})
        for struck, reason, listed in (gone, back, gone):
            await strike(mod, game, struck)
            for watching in (here, there):
                (run,) = (await watching.receive("day_progress"))["games"]
                assert (run["game"], run.get("struck")) == (game, reason)
                assert {run["game"] for run in (await watching.watch_day(DAY))["games"]} == listed
        for node in (two_nodes.first, two_nodes.second):
            async with node.stranger().connect() as late:
                assert {run["game"] for run in (await late.watch_day(DAY))["games"]} == {other}


async def test_a_strike_that_another_node_was_not_woken_for_is_found_when_it_compares_with_the_log(
    two_nodes: TwoNodes,
) -> None:
    mod, (_, game) = await with_role(two_nodes.first, "Mo", "moderator"), await ran(two_nodes.first, "Bob")
    async with two_nodes.second.stranger().connect() as watching, asyncio.timeout(soon()):
        assert [run["game"] for run in (await watching.watch_day(DAY))["games"]] == [game]
        two_nodes.cut()
        await strike(mod, game)
        await two_nodes.second.server.progress.resync(None)
        assert (await watching.receive("day_progress"))["games"][0]["struck"] == "cheating"
        assert (await watching.watch_day(DAY))["games"] == []


async def test_the_others_of_a_race_are_ranked_without_a_struck_run(sqlite_server: RunningServer) -> None:
    mod = await with_role(sqlite_server, "Mo", "moderator")
    ann, bob = await player(sqlite_server, "Ann"), await player(sqlite_server, "Bob")
    opened = await make_race(ann, bob)
    sqlite_server.clock.at = opened["starts_at"]
    for moves, racer in enumerate((await get_race(ann, opened))["racers"]):
        await play_and_resign((ann, bob)[moves], racer["meter"]["game"], moves)
    race, before = opened["race"], await get_race(ann, opened)
    first = next(racer for racer in before["racers"] if racer["rank"] == 1)
    async with sqlite_server.stranger().connect() as watching, asyncio.timeout(soon()):
        await watching.send("watch_race", race=race)
        assert await watching.receive("race")
        await strike(mod, first["meter"]["game"])
        sent = await watching.receive("race")
    for shown in (sent, (await ann.get(f"/races/{race}"))[1]):
        ranks = {racer["player"]["id"]: (racer.get("rank"), racer.get("struck")) for racer in shown["racers"]}
        assert ranks.pop(first["player"]["id"]) == (None, "cheating")
        assert list(ranks.values()) == [(1, None)]
    await strike(mod, first["meter"]["game"], struck=False)
    assert (await ann.get(f"/races/{race}"))[1]["racers"] == before["racers"]


async def test_the_close_of_a_day_says_what_was_struck_and_its_digests_follow_from_the_records(
    running_server: RunningServer, tmp_path: Path
) -> None:
    mod = await with_role(running_server, "Mo", "moderator")
    (_, struck), (_, returned), (_, later), _ = [
        await ran(running_server, name, moves) for moves, name in enumerate(("Ann", "Bob", "Cat", "Dan"), 3)
    ]
    await strike(mod, struck)
    await strike(mod, returned)
    await strike(mod, returned, struck=False)
    closed = json.decode((await close_day(running_server))[-1].data)
    assert closed["struck"] == {struck: "cheating"}
    await strike(mod, later)  # its digest stays: the log and the board say that it was struck after the close
    folder = tmp_path / "records"
    await export(running_server.server.settings, folder, running_server.clock)
    found = recompute(DAY, folder)
    assert found.agrees, found
    assert (len(found.counted), len(found.struck)) == (3, 1)
    await rebuild(running_server.server.database, known_rules())
    _, board = await mod.get(f"/boards/{DEAL}")
    assert (board["total"], {one["game"] for one in board["struck"]}) == (2, {struck, later})
    (folder / f"{struck}.json").unlink()
    assert list(recompute(DAY, folder).faults) == [f"{struck}.json"]
