"""A monitor watches a real server: an honest one is right, and what is late, withheld or signed by others is named."""

from dataclasses import replace
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from msgspec import json
from sqlalchemy import delete, insert, select

from cadogan.server.core.database.tables import events, log_entries, log_queue
from cadogan.server.core.eventlog.streams import HOUSE
from cadogan.server.core.web.requests import SERVER
from cadogan.server.operations.host_keys import rotate_key
from cadogan.server.operations.monitor import Monitor
from cadogan.server.operations.monitor_state import MonitorState, StateUnusable, read_state, write_state
from cadogan.server.operations.watched_server import NotPublic, RecordWithheld, Unreachable, WatchedServer
from cadogan.server.subjects.audit.attestation import Trust
from cadogan.server.subjects.transparency import ml_dsa
from cadogan.server.subjects.transparency.checkpoints import sign_rotation
from cadogan.server.subjects.transparency.leaves import NextKey, Strike, read_entry
from cadogan.server.subjects.transparency.notes import WITNESS, SigningKey, cosign, sign_note
from cadogan.server.subjects.transparency.transparency_log import LATEST, write_head
from cadogan.wire.admin import Why
from tests.harness.command_line import run
from tests.harness.daily_actions import CLOSED, DAY, end_left_runs, play_and_resign
from tests.harness.logging_ends import log_ends
from tests.harness.ml_dsa_witness import MlDsaWitness
from tests.harness.running_server import TEST_SETTINGS, open_server
from tests.server.monitor.lived import OF_DAYS, Lived, no_wait


async def test_nothing_is_wrong_when_a_run_that_was_left_gets_its_end_after_the_close_of_its_day(lived: Lived) -> None:
    assert await lived.look() == []
    await end_left_runs(lived.server)
    await log_ends(lived.server.server)
    assert await lived.look() == []
    assert (lived.state.size, lived.state.verified, lived.state.waiting, lived.state.runs) == (OF_DAYS + 7, 7, [], {})


async def test_nothing_is_wrong_with_an_honest_server_however_often_one_looks(lived: Lived) -> None:
    assert await lived.look() == []
    assert (lived.state.size, lived.state.verified, lived.state.waiting) == (OF_DAYS + 6, 6, [])
    assert await lived.look() == []
    assert await lived.look_anew() == []
    friend = SigningKey("friends.example/witness", bytes(32)).verifier(WITNESS)
    missing = await lived.look(trust=Trust((), (friend,)))
    assert missing == ["the witness friends.example/witness has not signed the latest checkpoint"]


async def strike(lived: Lived, number: int, struck: bool = True) -> None:
    """Take one of the runs off the boards, or put it back."""
    why = Why(reason="cheating", note="seen by Ann")
    await lived.server.app[SERVER].admin.strikes.strike(None, lived.games[number], struck, why)


async def forget_the_queue(lived: Lived) -> None:
    """What waits for the log never gets there."""
    async with lived.database.writing() as connection:
        await connection.execute(delete(log_queue))


async def test_a_run_that_is_struck_and_put_back_is_in_the_log_each_time_without_who_and_why(lived: Lived) -> None:
    for struck in (True, False, True):
        lived.server.clock.at += 1000
        await strike(lived, 0, struck)
    await log_ends(lived.server.server)
    later = lived.server.clock.at + 3_600_000
    assert await lived.look(at=later) == []
    assert lived.state.strikes == [
        Strike(CLOSED + 1000 * count, lived.games[0], struck) for count, struck in ((1, True), (2, False), (3, True))
    ]
    async with lived.database.reading() as connection:
        logged = [*await connection.scalars(select(log_entries.c.entry).where(log_entries.c.stream == HOUSE))]
    assert [set(json.decode(entry)) for entry in logged] == [{"at", "run", "struck"}] * 3
    assert await lived.look_anew() == []


async def test_a_run_that_is_struck_without_an_entry_is_found(lived: Lived) -> None:
    await strike(lived, 0)
    await forget_the_queue(lived)
    assert await lived.look(at=CLOSED + 1000) == []  # it may still come
    (found,) = await lived.look(at=CLOSED + 3_600_000)
    assert found == f"the board of {DAY} shows the run {lived.games[0]} as struck, and the log has no entry of that"


@pytest.mark.parametrize("is_logged", [True, False])
async def test_a_run_that_is_struck_in_the_future_is_found_at_once(lived: Lived, is_logged: bool) -> None:
    await strike(lived, 0)
    if is_logged:
        await log_ends(lived.server.server)
    else:
        await forget_the_queue(lived)
    assert await lived.look(at=CLOSED - 30_000) == []  # two clocks may differ a little
    found = await lived.look(at=CLOSED - 90_000)
    board = f"the board of {DAY} shows the run {lived.games[0]} as struck at a time in the future"
    entry = f"the log says of the run {lived.games[0]} that it was struck or put back at a time in the future"
    assert found == ([entry, board] if is_logged else [board])


@pytest.mark.parametrize("is_logged", [True, False])
async def test_a_day_that_closes_without_a_run_that_no_entry_names_is_found(
    sqlite_url: str, is_logged: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "cadogan.server.subjects.transparency.sequencer.BATCH_SECONDS", 3600.0
    )  # nothing is logged by itself
    async with (
        open_server(replace(TEST_SETTINGS, database_url=sqlite_url)) as server,
        aiohttp.ClientSession() as session,
    ):
        ann, bob = await server.guest(), await server.guest()
        games = [await ann.enter(slot=1), await bob.enter(slot=1)]
        for person, game in zip((ann, bob), games, strict=True):
            await play_and_resign(person, game, moves=2)
        one = Lived(server, session, games)
        await strike(one, 0)
        if not is_logged:
            async with one.database.writing() as connection:
                await connection.execute(delete(log_queue).where(log_queue.c.stream == HOUSE))
        server.clock.at = CLOSED
        await server.server.challenges.write_due(CLOSED)
        await log_ends(server.server)
        missing = f"{DAY} closed without the run {games[0]}, and the log has no entry of that"
        assert (await one.look())[:1] == ([] if is_logged else [missing])


async def test_a_day_that_is_closed_days_after_its_end_is_named(sqlite_url: str) -> None:
    async with (
        open_server(replace(TEST_SETTINGS, database_url=sqlite_url)) as server,
        aiohttp.ClientSession() as session,
    ):
        ann = await server.guest()
        await play_and_resign(ann, await ann.enter(slot=1), moves=2)
        server.clock.at = CLOSED + 10 * 86_400_000
        await server.server.challenges.write_due(server.clock.at)
        await log_ends(server.server)
        assert f"{DAY} was closed more than a day after its end" in await Lived(server, session, []).look()


async def test_a_witness_who_signed_an_entry_before_it_ended_is_named(lived: Lived) -> None:
    friend = SigningKey("friends.example/witness", bytes(32))
    log = lived.server.server.transparency
    head = await log.head()
    assert head is not None
    await log.store_witnessed(head, [cosign(head.text, friend, CLOSED // 1000 - 90)])
    found = await lived.look(trust=Trust((), (friend.verifier(WITNESS),)))
    early = [wrong.partition(", ")[2].partition(":")[0] for wrong in found if "a witness signed it at" in wrong]
    assert (len(found), sorted(early)) == (3, [f"daily/{DAY}", "daily/2026-11-21", "daily/2026-11-28"])


async def test_a_witness_that_signs_by_ml_dsa_must_have_signed_where_the_library_knows_it(
    lived: Lived, monkeypatch: pytest.MonkeyPatch
) -> None:
    friend = MlDsaWitness()
    trust = Trust((), (friend.key,))
    assert await lived.look(trust=trust) == [f"the witness {friend.name} has not signed the latest checkpoint"]
    log = lived.server.server.transparency
    head = await log.head()
    assert head is not None
    await log.store_witnessed(head, [friend.cosign(head.text, CLOSED // 1000 + 90)])
    assert await lived.look(trust=trust) == []
    await log.store_witnessed(head, [friend.cosign(head.text, 0)._replace(value=bytes(2428))])
    (wrong,) = await lived.look(trust=trust)
    assert wrong.startswith("the checkpoint of the log cannot be trusted")

    monkeypatch.setattr(ml_dsa, "is_known", lambda: False)
    assert await lived.look(trust=trust) == []


async def test_a_record_that_is_withheld_for_a_while_is_named_each_time_and_verified_once_it_is_back(
    lived: Lived,
) -> None:
    async with lived.database.writing() as connection:
        chosen = select(events).where(events.c.stream == f"game/{lived.games[0]}")
        rows = [dict(row._mapping) for row in await connection.execute(chosen)]
    await lived.hide(0)
    async with open_server(lived.server.server.settings) as again:  # without what the first one has in memory
        again.clock.at = CLOSED
        lived.watched = WatchedServer(lived.session, again.url, no_wait)
        for _ in range(2):
            assert any(f"game/{lived.games[0]}: the server does not show it" in wrong for wrong in await lived.look())
        async with lived.database.writing() as connection:
            await connection.execute(insert(events), rows)
        assert not any("does not show it" in wrong for wrong in await lived.look())
        assert (lived.state.verified, lived.state.waiting) == (6, [])


class NeverPublic(WatchedServer):
    """A server that says of the records of all games that they are not public yet."""

    async def game_record(self, game: str) -> bytes | None:
        raise NotPublic(game)


async def test_an_embargo_ends_two_days_after_the_record_was_asked_for(lived: Lived) -> None:
    lived.watched = NeverPublic(lived.session, lived.server.url)
    state, ends_at = MonitorState(lived.server.url, []), CLOSED + 2 * 86_400_000
    for at in (CLOSED, ends_at):
        assert not any("not public" in wrong for wrong in await lived.look(state, at=at))
    found = await lived.look(state, at=ends_at + 1)
    games = [one.stream for one in state.waiting if one.stream.startswith("game/")]
    assert len(games) > 2
    assert sum("its record was not public for more than two days" in wrong for wrong in found) == len(games)


async def test_a_day_that_is_said_to_be_archived_is_withheld() -> None:
    async def is_archived(request: web.Request) -> web.Response:
        return web.json_response({"code": "archived", "message": "It is in a file."}, status=410)

    app = web.Application()
    app.router.add_get("/{path:.*}", is_archived)
    async with TestServer(app) as server, aiohttp.ClientSession() as session:
        watched = WatchedServer(session, str(server.make_url("/")), no_wait)
        assert await watched.game_record("a") is None
        with pytest.raises(RecordWithheld, match="no day ever is"):
            await watched.day_record(DAY)


class Archived(WatchedServer):
    """A server that says of the records of all games that they are archived."""

    async def game_record(self, game: str) -> bytes | None:
        return None


async def test_the_games_that_a_server_says_it_has_archived_are_counted(lived: Lived) -> None:
    lived.watched = Archived(lived.session, lived.server.url)
    await lived.look()
    assert (lived.state.archived, lived.state.waiting) == (4, [])


async def test_a_key_that_was_rotated_is_followed_by_who_has_watched_and_by_who_has_not(lived: Lived) -> None:
    assert await lived.look() == []
    first = lived.key
    for rotated in (1, 2):
        await rotate_key(lived.database, lived.server.server.host_key)
        assert await lived.look() == []
        assert (lived.state.size, len(lived.state.rotations)) == (OF_DAYS + 6 + rotated, rotated)
    assert lived.state.keys == [first.verifier().text]
    assert await lived.look_anew() == []
    for given in (first, lived.server.server.host_key.get()):
        assert await lived.look(MonitorState("", [given.verifier().text])) == []


async def test_a_key_that_the_old_one_has_not_signed_is_refused(lived: Lived) -> None:
    assert await lived.look() == []
    thief, new = (SigningKey(lived.key.name, bytes([number]) * 32) for number in (1, 2))
    entry = NextKey(sign_rotation(OF_DAYS + 6, thief, new).note.as_text()).as_bytes()
    await lived.log_again(lambda entries: [*entries, ("key", 1, entry)], new)
    lived.server.server.host_key.file.write_text(new.text)
    assert any("names other keys than before" in wrong for wrong in await lived.look())


async def test_an_old_key_that_signs_what_came_after_it_is_found(lived: Lived) -> None:
    await rotate_key(lived.database, lived.server.server.host_key)
    assert await lived.look() == []
    head = await lived.server.server.transparency.head()
    assert head is not None
    async with lived.database.writing() as connection:
        await write_head(connection, LATEST, sign_note(head.text, lived.key))
    (found,) = await lived.look()
    assert "which was rotated" in found


async def hide_the_rotation(lived: Lived) -> None:
    await lived.log_again(
        lambda entries: [(f"no {stream}", version, entry) for stream, version, entry in entries], lived.key
    )


async def move_the_rotation(lived: Lived) -> None:
    await lived.log_again(lambda entries: [entries[-1], *entries[:-1]], lived.server.server.host_key.get())


async def test_the_keys_are_those_that_the_log_says(lived: Lived) -> None:
    await rotate_key(lived.database, lived.server.server.host_key)
    for forge, named in (
        (hide_the_rotation, "is not signed by the key of the host"),
        (move_the_rotation, "is the rotation of a key at another place"),
    ):
        async with lived.put_back():
            await forge(lived)
            found = await lived.look_anew()
        assert any(named in wrong for wrong in found), (forge.__name__, found)
    assert await lived.look_anew() == []


async def test_a_host_with_another_key_than_before_is_found(lived: Lived) -> None:
    lived.state.keys = [SigningKey(lived.key.name, bytes(32)).verifier().text]
    found = await lived.look()
    assert any("names other keys than before" in wrong for wrong in found)


async def test_a_game_that_waits_for_the_log_is_not_missed(lived: Lived) -> None:
    ann = await lived.server.guest()
    game = await ann.deal()
    await play_and_resign(ann, game)
    async with lived.database.writing() as connection:  # the server is stopped before it could append the game
        await connection.execute(delete(log_entries).where(log_entries.c.stream == f"game/{game}"))
        stored = await lived.server.server.store.read(f"game/{game}")
        waiting = {
            "stream": stored[-1].stream,
            "version": stored[-1].version,
            "hash": stored[-1].hash,
            "recorded_at": 1,
        }
        await connection.execute(delete(log_queue))
        await connection.execute(insert(log_queue).values(waiting))
    await log_ends(lived.server.server)
    bundle = await lived.server.server.transparency.find(f"game/{game}")
    assert bundle is not None
    assert read_entry(bundle.entry).as_bytes() == bundle.entry
    assert await lived.look() == []


async def test_a_server_that_does_not_answer_is_neither_right_nor_wrong() -> None:
    async with aiohttp.ClientSession() as session:
        nobody = Monitor(WatchedServer(session, "http://127.0.0.1:9", no_wait), MonitorState("", []), Trust())
        with pytest.raises(Unreachable):
            _ = [wrong async for wrong in nobody.check()]


def test_the_state_is_kept_in_a_file_and_what_is_none_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "state.json"
    assert read_state(file) is None
    state = MonitorState("https://patience.example", ["a key"], 3, {"0/0": "ab"}, [], {"2026-11-20": ["a"]}, 2)
    write_state(file, state)
    assert read_state(file) == state
    file.write_text("{}")
    with pytest.raises(StateUnusable):
        read_state(file)
    refused = run("monitor", "http://127.0.0.1:9", "--state", str(file))
    assert (refused.exit_code, "holds no state of a monitor" in refused.output) == (1, True)
    assert run("monitor", "nowhere").exit_code == 2
    assert run("monitor", "http://127.0.0.1:9", "--key", "nothing").exit_code == 2


@pytest.mark.parametrize("answer", [b"", b"\xff", b'{"dailies":"\xff"}', b'{"x":' + b"[" * 100_000, b"[" * 100_000])
async def test_a_server_that_answers_with_no_readable_json_tells_a_monitor_nothing(
    answer: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def give(self: WatchedServer, path: str) -> tuple[int, bytes]:
        return 200, answer

    monkeypatch.setattr(WatchedServer, "_get", give)
    async with aiohttp.ClientSession() as session:
        watched = WatchedServer(session, "http://127.0.0.1:9")
        for asked in (watched.trust, watched.shown_evenings, watched.shown_days):
            with pytest.raises(Unreachable):
                await asked()
        with pytest.raises(Unreachable):
            await watched.shown_day(DAY)
        with pytest.raises(Unreachable):
            await watched.board(f"day:{DAY}", 0, 1)
