"""The transparency log over HTTP: the host's key, checkpoints, tiles, and the proof in every record."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from cadogan.server.cli.records import export
from cadogan.server.subjects.audit import game_audit
from cadogan.server.subjects.audit.attestation import Trust, attest, read_host
from cadogan.server.subjects.transparency.checkpoints import Checkpoint, read_checkpoint
from cadogan.server.subjects.transparency.leaves import Ended, read_entry
from cadogan.server.subjects.transparency.notes import WITNESS, read_note
from cadogan.server.subjects.transparency.tree import hashes_of, leaf_hash, read_bundle, tree_hash
from cadogan.server.subjects.transparency.witnesses import RemoteWitness, Witnesses
from cadogan.wire.bodies import Record
from tests.harness import databases
from tests.harness.command_line import run
from tests.harness.daily_actions import CLOSED, DAY, play_and_resign
from tests.harness.logging_ends import DAY_ENTRIES, log_ends
from tests.harness.people import Person
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server


async def fetch(server: RunningServer, path: str) -> bytes:
    """The bytes of a file of the log."""
    async with server.session.get(f"{server.url}/log/{path}") as response:
        assert response.status == 200, path
        kind = "text/plain; charset=utf-8" if path == "checkpoint" else "application/octet-stream"  # C2SP tlog-tiles
        assert response.headers["Content-Type"] == kind, path
        return await response.read()


async def record_of(person: Person, game: str) -> bytes:
    """The record of a game, as a file."""
    async with person.session.get(f"{person.url}/api/v1/games/{game}/record", headers=person.headers) as response:
        return await response.read()


async def checkpoint(server: RunningServer) -> Checkpoint:
    """The latest checkpoint, signed by the key that the server publishes."""
    note = read_note((await fetch(server, "checkpoint")).decode())
    async with server.session.get(f"{server.url}/.well-known/cadogan.json") as response:
        (key,) = read_host(await response.json()).hosts
    note.require_signature(key)
    return read_checkpoint(note.text)


async def test_before_anything_has_ended_there_is_no_log(sqlite_server: RunningServer) -> None:
    for path in ("/log/checkpoint", "/log/tile/0/000.p/1", "/log/tile/nothing"):
        async with sqlite_server.session.get(sqlite_server.url + path) as response:
            assert (response.status, (await response.json())["code"]) == (404, "not_found")


async def test_a_finished_game_is_attested_by_its_record_and_the_host_s_key_alone(
    running_server: RunningServer, tmp_path: Path
) -> None:
    ann = await running_server.guest()
    games = [await ann.deal() for _ in range(3)]
    for game in games:
        await play_and_resign(ann, game, moves=2)
    await log_ends(running_server.server)
    state = await checkpoint(running_server)
    leaves = hashes_of(await fetch(running_server, f"tile/0/000.p/{state.size}"))
    entries = read_bundle(await fetch(running_server, f"tile/entries/000.p/{state.size}"))
    assert (state.size, tree_hash(leaves)) == (DAY_ENTRIES + 3, state.root)
    assert [leaf_hash(entry) for entry in entries] == [*leaves]
    host = tmp_path / "host.json"
    async with running_server.session.get(f"{running_server.url}/.well-known/cadogan.json") as response:
        host.write_bytes(await response.read())
    for game in games:
        file = tmp_path / "record.json"
        file.write_bytes(await record_of(ann, game))
        said = run("verify", str(file), "--trust", str(host))
        assert said.exit_code == 0
        assert f"of {DAY_ENTRIES + 3} in the log {state.origin}, signed by its key" in said.output
        found = json.loads(run("verify", str(file), "--trust", str(host), "--json").output)
        assert (found["attested"]["origin"], found["witnessed"]) == (state.origin, [])
        assert "kept" not in found["not_shown"]
        unknown = run("verify", str(file))
        assert (unknown.exit_code, "whose key you have not given" in unknown.output) == (0, True)


async def test_a_run_of_an_open_day_is_logged_as_a_digest_that_says_nothing_before_the_close(
    running_server: RunningServer,
) -> None:
    ann, bob = await running_server.guest(), await running_server.guest()
    game, left = await ann.enter(), await bob.enter()
    await play_and_resign(ann, game, moves=1)
    await log_ends(running_server.server)
    *_, entry = read_bundle(await fetch(running_server, f"tile/entries/000.p/{DAY_ENTRIES + 1}"))
    head = (await running_server.server.store.read(f"game/{game}"))[-1]
    secret = await running_server.server.deals.get_day(DAY)
    assert secret is not None
    assert read_entry(entry) == Ended.of(f"game/{game}", head.version, secret.secret, head.hash)
    assert head.hash.hex().encode() not in entry
    for kind in ("record", "attestation"):
        assert (await ann.get(f"/games/{game}/{kind}"))[1]["code"] == "spoiler_embargo"
    running_server.clock.at = CLOSED
    await running_server.server.challenges.write_due(CLOSED)
    key = await log_ends(running_server.server)
    host = read_host({"keys": [key.text]})
    for one in (game, left):  # a run that was left without an end is in the log, too
        text = await record_of(ann, one)
        record, verdict = game_audit.read_record(text), game_audit.verify(text)
        found = attest(record, verdict.hashes, host)
        assert found is not None
        assert (found.key, found.version, verdict.finished) == (key, len(record.events), one == game)
    size = (await checkpoint(running_server)).size
    streams = [read_entry(one) for one in read_bundle(await fetch(running_server, f"tile/entries/000.p/{size}"))]
    assert {one.stream for one in streams if isinstance(one, Ended)} == {f"game/{game}", f"game/{left}", f"daily/{DAY}"}


async def test_an_export_brings_the_keys_with_which_its_records_are_attested(
    sqlite_server: RunningServer, tmp_path: Path
) -> None:
    ann = await sqlite_server.guest()
    game = await ann.deal()
    await play_and_resign(ann, game)
    await log_ends(sqlite_server.server)
    settings = sqlite_server.server.settings
    folder = tmp_path / "out"
    assert await export(settings, folder) == (1, 0, 0)
    said = run("verify", str(folder / f"{game}.json"), "--trust", str(folder / "host.json"))
    assert (said.exit_code, f"attested: entry {DAY_ENTRIES + 1} of {DAY_ENTRIES + 1}" in said.output) == (0, True)
    assert Record.__struct_fields__[-1] == "events"  # a record is sent with its events at the end


async def test_what_the_server_says_of_a_game_s_attestation_is_what_its_proof_shows(
    running_server: RunningServer, sqlite_template: Path, tmp_path: Path
) -> None:
    ann, bob = await running_server.guest(), await running_server.guest()
    game = await ann.deal()
    assert (await bob.get(f"/games/{game}/attestation"))[1]["code"] == "conflict"
    await play_and_resign(ann, game, moves=1)
    await log_ends(running_server.server)
    host = running_server.server.host_key.get().verifier()
    settings = replace(TEST_SETTINGS, key_file=str(tmp_path / "witness.key"), witness_for=(host.text,))
    with databases.sqlite(tmp_path, sqlite_template) as url:
        async with open_server(replace(settings, database_url=url)) as other:
            witness = other.server.host_key.get().witness().verifier(WITNESS)
            remote = RemoteWitness(witness, f"{other.url}/witness")
            assert await Witnesses(running_server.server.transparency, [remote]).ask() == 1
    text = await record_of(ann, game)
    proven = attest(game_audit.read_record(text), game_audit.verify(text).hashes, Trust((host,), (witness,)))
    assert proven is not None
    assert proven.key is not None
    said = (await bob.get(f"/games/{game}/attestation"))[1]
    (seen,) = proven.witnesses
    assert said == {
        "game": game,
        "entry": {
            "number": proven.number,
            "size": proven.size,
            "origin": proven.origin,
            "key": proven.key.id.hex(),
            "witnesses": [{"name": seen.name, "at": seen.at_seconds * 1000}],
        },
    }


@pytest.mark.both_databases
async def test_a_player_sees_the_numbers_of_the_own_games_in_the_log(running_server: RunningServer) -> None:
    ann, bob = await running_server.guest(), await running_server.guest()
    games = [await one.deal() for one in (ann, bob, ann, ann)]
    for person, game in zip((ann, bob, ann), games, strict=False):
        running_server.clock.at += 1000
        await play_and_resign(person, game, moves=1)
    await log_ends(running_server.server)
    (status, own) = await ann.get("/account/runs")
    entries = {run["game"]["id"]: run.get("entry") for run in own["runs"]}
    log = running_server.server.transparency
    numbers = [await log.find(f"game/{game}") for game in games]
    assert (status, own["more"]) == (200, False)
    assert entries == {
        game: number.number if number else None for game, number in zip(games, numbers, strict=True) if game != games[1]
    }
    assert {*entries.values()} == {DAY_ENTRIES, DAY_ENTRIES + 2, None}
    assert {run["game"]["status"] for run in own["runs"]} == {"resigned", "playing"}
    pages = [(await ann.get(f"/account/runs?limit=1&offset={offset}"))[1] for offset in range(4)]
    assert [run for page in pages for run in page["runs"]] == own["runs"]
    assert [page["more"] for page in pages] == [True, True, False, False]
    assert (await running_server.stranger().get("/account/runs"))[0] == 401
