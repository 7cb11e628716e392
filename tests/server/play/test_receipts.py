"""Who has finished a game gets a receipt: the same at any time and from every node, and nobody else gets it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cadogan.server.operations.host_keys import rotate_key
from cadogan.server.operations.receipt_check import read_signed_receipt
from cadogan.server.subjects.audit.attestation import Trust
from cadogan.server.subjects.transparency.leaves import Ended, read_entry
from cadogan.server.subjects.transparency.receipts import MAX_DELAY_MILLISECONDS, Receipt
from tests.harness.daily_actions import CLOSED, play_and_resign
from tests.harness.logging_ends import log_ends
from tests.harness.people import Person
from tests.harness.race_actions import game_in_race, let_race_start, make_race, resign_in_race
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server
from tests.harness.two_nodes import TwoNodes


async def receipt_of(person: Person, game: str) -> str:
    """The receipt that the person is given."""
    status, given = await person.get(f"/games/{game}/receipt")
    assert status == 200, given
    return str(given["receipt"])


async def refused(person: Person, game: str) -> tuple[int, str]:
    """Status and code of a refused request for a receipt."""
    status, answer = await person.get(f"/games/{game}/receipt")
    return status, str(answer["code"])


async def logged(server: RunningServer, game: str) -> Any:
    """The latest entry that the log has of a game."""
    found = await server.server.transparency.find(f"game/{game}")
    assert found is not None
    return read_entry(found.entry)


@pytest.mark.parametrize("kind", ["casual", "ranked", "race"])
async def test_the_receipt_of_a_game_promises_the_entry_that_the_log_gets(
    running_server: RunningServer, kind: str
) -> None:
    ann, bob = await running_server.guest(), await running_server.guest()
    if kind == "race":
        race = await let_race_start(running_server, ann, await make_race(ann, bob))
        game = game_in_race(race, ann)
        async with ann.connect() as socket:
            await resign_in_race(socket, race, ann)
    else:
        game = await (ann.deal() if kind == "casual" else ann.enter())
        await play_and_resign(ann, game, moves=2)
    ended_at = running_server.clock.at
    text = await receipt_of(ann, game)
    await log_ends(running_server.server)
    trust = Trust((running_server.server.host_key.get().verifier(),))
    receipt = read_signed_receipt(text, trust)
    assert receipt.entry == await logged(running_server, game)
    assert receipt.due_at == ended_at + MAX_DELAY_MILLISECONDS
    running_server.clock.at = CLOSED
    assert await receipt_of(ann, game) == text


async def test_only_the_player_gets_the_receipt_and_only_after_the_end(sqlite_server: RunningServer) -> None:
    ann, bob = await sqlite_server.guest(), await sqlite_server.guest()
    game = await ann.deal()
    assert await refused(ann, game) == (409, "conflict")
    await play_and_resign(ann, game)
    assert await refused(bob, game) == (403, "not_your_seat")
    assert await refused(sqlite_server.stranger(), game) == (401, "unauthorized")
    assert await refused(ann, "aaaabbbbccccdddd") == (404, "not_found")
    assert (await receipt_of(ann, game)).startswith(sqlite_server.server.host_key.get().name + "/receipt\n")


async def test_two_nodes_and_a_server_that_was_started_again_give_the_same_receipt(two_nodes: TwoNodes) -> None:
    ann = await two_nodes.first.guest()
    game = await ann.enter()
    await play_and_resign(ann, game, moves=3)
    given = [await receipt_of(person, game) for person in (ann, two_nodes.at_second(ann))]
    async with open_server(two_nodes.first.server.settings) as again:
        again.clock.at = CLOSED
        there = Person(again.url, again.session)
        there.id, there.token = ann.id, ann.token
        given.append(await receipt_of(there, game))
    assert len(set(given)) == 1


async def test_a_receipt_tells_nothing_with_which_cards_of_an_open_day_can_be_guessed(
    sqlite_server: RunningServer,
) -> None:
    """The hash of the last event follows from the cards, so it is in the receipt only together with the secret."""
    ann = await sqlite_server.guest()
    game = await ann.enter()
    await play_and_resign(ann, game)
    text = await receipt_of(ann, game)
    head = (await sqlite_server.server.store.read(f"game/{game}"))[-1]
    secret = await sqlite_server.server.deals.get_secret("2026-11-20.1")
    assert secret is not None
    assert head.hash.hex() not in text
    assert Ended.of(f"game/{game}", head.version, b"", head.hash).digest not in text
    assert Ended.of(f"game/{game}", head.version, secret, head.hash).digest in text


async def test_after_the_key_was_rotated_the_new_one_signs_the_same_promise(sqlite_url: str, tmp_path: Path) -> None:
    settings = replace(TEST_SETTINGS, database_url=sqlite_url, key_file=str(tmp_path / "host.key"))
    async with open_server(settings) as server:
        ann = await server.guest()
        game = await ann.deal()
        await play_and_resign(ann, game)
        before = await receipt_of(ann, game)
        await log_ends(server.server)
        await rotate_key(server.server.database, server.server.host_key)
        after = await receipt_of(ann, game)
        trust = Trust((server.server.host_key.get().verifier(),))
        assert before != after
        assert before.partition("\n\n")[0] == after.partition("\n\n")[0]
        assert isinstance(read_signed_receipt(after, trust), Receipt)


async def test_a_host_without_the_key_of_its_log_signs_no_receipt(sqlite_url: str, tmp_path: Path) -> None:
    settings = replace(TEST_SETTINGS, database_url=sqlite_url, key_file=str(tmp_path / "host.key"))
    async with open_server(settings) as server:
        ann = await server.guest()
        game = await ann.deal()
        await play_and_resign(ann, game)
        await log_ends(server.server)
        (tmp_path / "host.key").unlink()
        assert await refused(ann, game) == (503, "unavailable")
