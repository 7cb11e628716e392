"""The record page is enough to write a verifier of the log: one that was written from it alone agrees with ours."""

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cadogan.server.subjects.audit import game_audit
from cadogan.server.subjects.audit.attestation import NotAttested, attest, read_trust
from cadogan.server.subjects.transparency.leaves import Ended
from cadogan.server.subjects.transparency.notes import WITNESS
from cadogan.server.subjects.transparency.transparency_log import WITNESSED
from cadogan.server.subjects.transparency.witnesses import RemoteWitness, Witnesses
from tests.docs.test_record import example
from tests.harness import databases, plain_verifier
from tests.harness.daily_actions import play_and_resign
from tests.harness.logging_ends import DAY_ENTRIES, log_ends
from tests.harness.plain_verifier import Refused
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server

Record = dict[str, Any]
Verdict = tuple[int, int, list[str]] | None
"""The number of the entry, the size of the log, and its witnesses; None if it is refused."""


@pytest.fixture
async def logged(
    sqlite_server: RunningServer, sqlite_template: Path, tmp_path: Path
) -> tuple[RunningServer, list[Record], list[str]]:
    """A server with three games in a long log, their records, and the keys of the host and of a witness."""
    server, log = sqlite_server.server, sqlite_server.server.transparency
    ann = await sqlite_server.guest()
    games = [await ann.deal() for _ in range(3)]
    await play_and_resign(ann, games[0], moves=2)
    host = await log_ends(server)
    for first, game in zip((0, 250), games[1:], strict=True):
        others = [
            (f"match/{n:016}", 1, Ended(f"match/{n:016}", 1, "ab" * 32)) for n in range(first, first + 50 + first)
        ]
        await log.append(
            [(stream, version, entry.as_bytes()) for stream, version, entry in others], server.host_key.get()
        )
        await play_and_resign(ann, game, moves=4)
        await log_ends(server)
    settings = replace(TEST_SETTINGS, key_file=str(tmp_path / "witness.key"), witness_for=(host.text,))
    with databases.sqlite(tmp_path, sqlite_template) as url:
        async with open_server(replace(settings, database_url=url)) as other:
            witness = other.server.host_key.get().witness().verifier(WITNESS)
            assert await Witnesses(log, [RemoteWitness(witness, f"{other.url}/witness")]).ask() == 1
    records = []
    for game in games:
        async with ann.session.get(f"{ann.url}/api/v1/games/{game}/record") as response:
            records.append(json.loads(await response.read()))
    return sqlite_server, records, [host.text, witness.text]


async def test_it_says_of_records_of_a_server_what_ours_says(
    logged: tuple[RunningServer, list[Record], list[str]],
) -> None:
    _, records, keys = logged
    for record in records:
        number, size, signed = plain_verifier.verify(record, keys)
        text = json.dumps(record).encode()
        ours = attest(game_audit.read_record(text), game_audit.verify(text).hashes, read_trust(keys))
        assert ours is not None
        assert ours.key is not None
        assert (number, size) == (ours.number, ours.size)
        assert signed == {ours.origin: None, **{one.name: one.at_seconds for one in ours.witnesses}}
    assert [plain_verifier.verify(record, keys)[0] for record in records] == [
        DAY_ENTRIES,
        DAY_ENTRIES + 51,
        DAY_ENTRIES + 352,
    ]


async def test_whatever_was_changed_it_says_what_ours_says(
    logged: tuple[RunningServer, list[Record], list[str]],
) -> None:
    _, records, keys = logged
    chance = random.Random(16)
    forged = [chance.choice(records) for _ in range(400)]
    forged = [{**record, "proof": changed(record["proof"], chance)} for record in forged]
    forged += [{**records[0], "proof": records[1]["proof"]}, {**records[0], "proof": example("log")["proof"]}]
    verdicts = [(verdict_of(record, keys), our_verdict(record, keys)) for record in forged]
    assert [pair for pair in verdicts if pair[0] != pair[1]] == []
    assert [one for one, _ in verdicts].count(None) > 300
    for change in ({"secret": "00" * 32}, {"stream": "game/another"}):
        with pytest.raises(Refused):
            plain_verifier.verify({**records[0], **change}, keys)
    with pytest.raises(Refused, match="the host has not signed"):
        plain_verifier.verify(records[0], keys[1:])


def changed(proof: str, chance: random.Random) -> str:
    """A proof in which one character is another one."""
    place = chance.randrange(len(proof))
    letter = chance.choice([one for one in "01Aaz+/= \n" if one != proof[place]])
    return proof[:place] + letter + proof[place + 1 :]


def verdict_of(record: Record, keys: list[str]) -> Verdict:
    """What the third verifier says of a record."""
    try:
        number, size, signed = plain_verifier.verify(record, keys)
    except Refused:
        return None
    return number, size, sorted(name for name, at in signed.items() if at is not None)


def our_verdict(record: Record, keys: list[str]) -> Verdict:
    """What ours says of it."""
    text = json.dumps(record).encode()
    try:
        found = attest(game_audit.read_record(text), game_audit.verify(text).hashes, read_trust(keys))
    except NotAttested:
        return None
    assert found is not None
    return (found.number, found.size, [one.name for one in found.witnesses]) if found.key else None


async def test_it_sees_by_the_tiles_that_a_log_has_grown(
    logged: tuple[RunningServer, list[Record], list[str]],
) -> None:
    running_server, _, _ = logged
    files: dict[str, bytes] = {}
    head = await running_server.server.transparency.head(WITNESSED)
    assert head is not None
    _, size, root = plain_verifier.read_checkpoint(head.as_text())
    for number in range(-(-size // 256)):
        path = plain_verifier.tile_path("0", number, min(256, size - 256 * number))
        async with running_server.session.get(f"{running_server.url}/log/tile/{path}") as response:
            files[path] = await response.read()
    assert len(files) == 2
    assert plain_verifier.root_of(size, files.__getitem__) == root
    shown = example("log")["proof"].partition("\n\n")[2]
    assert plain_verifier.read_checkpoint(shown)[:2] == ("club.example/log", 3)
    assert size == DAY_ENTRIES + 353
    assert plain_verifier.tile_path("entries", 1_234_067, 17) == "entries/x001/x234/067.p/17"
