"""Witnesses: one signs a log that grows, and refuses one with another history; nobody waits for one that is away."""

from collections.abc import AsyncIterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from cadogan.server.subjects.transparency.checkpoints import Checkpoint, read_checkpoint, write_hash
from cadogan.server.subjects.transparency.notes import (
    LOG,
    WITNESS,
    Note,
    SigningKey,
    VerifierKey,
    cosigned_at,
    read_note,
    read_signatures,
    sign_note,
)
from cadogan.server.subjects.transparency.transparency_log import WITNESSED
from cadogan.server.subjects.transparency.tree import EMPTY_ROOT, consistency_parts, leaf_hash, tree_hash
from cadogan.server.subjects.transparency.witnesses import RemoteWitness, Witnesses
from tests.harness.daily_actions import play_and_resign
from tests.harness.logging_ends import DAY_ENTRIES, log_ends
from tests.harness.running_server import TEST_SETTINGS, RunningServer, open_server

LOG_KEY = SigningKey("club.example/log", bytes(range(32)))
LEAVES = [leaf_hash(b"entry %d" % number) for number in range(20)]
FORKED = [*LEAVES[:5], leaf_hash(b"another history"), *LEAVES[6:]]


@pytest.fixture
async def witness(database_url: str, tmp_path: Path) -> AsyncIterator[RunningServer]:
    """A server that is a witness for the log with `LOG_KEY`: once over SQLite, once over PostgreSQL."""
    settings = replace(
        TEST_SETTINGS,
        database_url=database_url,
        key_file=str(tmp_path / "witness.key"),
        witness_for=(LOG_KEY.verifier().text,),
    )
    async with open_server(settings) as one:
        yield one


def checkpoint(size: int, leaves: list[bytes] = LEAVES, key: SigningKey = LOG_KEY) -> Note:
    """The signed state of a log with so many entries."""
    root = tree_hash(leaves[:size]) if size else EMPTY_ROOT
    return sign_note(Checkpoint("club.example/log", size, root).text, key)


def request(old: int, note: Note, leaves: list[bytes] = LEAVES) -> str:
    """The body with which a log asks for a signature, with the proof that it grew from its old size."""
    size = read_checkpoint(note.text).size
    parts = consistency_parts(old, size) if 0 < old <= size else []
    return "\n".join(
        [f"old {old}", *(write_hash(tree_hash(leaves[low:high])) for low, high in parts), "", note.as_text()]
    )


async def submit(witness: RunningServer, body: str) -> tuple[int, str]:
    """What the witness answers."""
    async with witness.session.post(f"{witness.url}/witness/add-checkpoint", data=body.encode()) as response:
        if response.status == 409:
            assert response.headers["Content-Type"] == "text/x.tlog.size"  # all of it: clients compare exactly
        return response.status, await response.text()


def key_of(witness: RunningServer) -> VerifierKey:
    """The public key of the witness."""
    return witness.server.host_key.get().witness().verifier(WITNESS)


@pytest.mark.both_databases
async def test_a_log_that_grows_is_signed_each_time_with_the_time(witness: RunningServer) -> None:
    old = 0
    for size in (0, 1, 1, 7, 8, 20):
        note = checkpoint(size)
        status, lines = await submit(witness, request(old, note))
        assert status == 200, lines
        (signature,) = read_signatures(lines)
        note.with_signatures([signature]).require_signature(key_of(witness))
        assert cosigned_at(signature) == witness.clock.at // 1000
        old = size
    origin = sha256(b"club.example/log").hexdigest()
    async with witness.session.get(f"{witness.url}/witness/{origin}/checkpoint") as response:
        stored = read_note(await response.text())
    assert read_checkpoint(stored.text).size == 20
    stored.require_signature(key_of(witness))
    stored.require_signature(LOG_KEY.verifier())


async def test_a_forked_log_gets_no_signature(witness: RunningServer) -> None:
    assert (await submit(witness, request(0, checkpoint(8))))[0] == 200
    forked = checkpoint(20, FORKED)
    for body in (request(8, forked, FORKED), request(8, forked), request(8, checkpoint(8, FORKED), FORKED)):
        status, why = await submit(witness, body)
        assert (status, "another root" in why) == (422, True)
    assert await submit(witness, request(0, forked, FORKED)) == (409, "8\n")  # as if nothing had been there before
    assert await submit(witness, request(6, forked, FORKED)) == (409, "8\n")
    assert (await submit(witness, request(7, checkpoint(6))))[0] == 400  # a log that was set back
    assert await submit(witness, request(6, checkpoint(6))) == (409, "8\n")
    assert (await submit(witness, request(8, checkpoint(20))))[0] == 200  # the honest history goes on


WRONG = [
    ("", 400),
    ("old 0\n\nnothing", 400),
    ("old -1\n\n" + checkpoint(1).as_text(), 400),
    ("old 0\nAAAA\n\n" + checkpoint(1).as_text(), 400),
    ("old 0\n\n" + sign_note("club.example/log\n1\n", LOG_KEY).as_text(), 400),
    ("old 0\n\n" + sign_note(Checkpoint("other.example", 1, LEAVES[0]).text, LOG_KEY).as_text(), 404),
    ("old 0\n\n" + checkpoint(1, key=SigningKey("club.example/log", bytes(32))).as_text(), 403),
    ("old 0\n\n" + checkpoint(1).as_text().replace("\n1\n", "\n2\n"), 403),
    ("old 0\n" + write_hash(LEAVES[0]) + "\n\n" + checkpoint(1).as_text(), 422),
    ("old 0\n\n" + sign_note(Checkpoint("club.example/log", 0, LEAVES[0]).text, LOG_KEY).as_text(), 422),
    ("old 0\n\n" + "x" * 100_000, 400),
]


async def test_what_is_wrong_gets_the_status_that_the_format_names(witness: RunningServer) -> None:
    answers = [(body, status, await submit(witness, body)) for body, status in WRONG]
    assert [(body, answer) for body, status, answer in answers if answer[0] != status] == []
    async with witness.session.get(f"{witness.url}/witness/{'0' * 64}/checkpoint") as response:
        assert response.status == 404


async def test_a_server_has_its_log_signed_and_proves_it_with_each_record(
    witness: RunningServer, sqlite_url: str, tmp_path: Path
) -> None:
    (tmp_path / "log.key").write_text(LOG_KEY.text)
    settings = replace(TEST_SETTINGS, database_url=sqlite_url, key_file=str(tmp_path / "log.key"))
    async with open_server(settings) as club:
        log, ann = club.server.transparency, await club.guest()
        away = RemoteWitness(SigningKey("away.example", bytes(32)).verifier(WITNESS), "http://127.0.0.1:9")
        witnesses = Witnesses(log, [RemoteWitness(key_of(witness), f"{witness.url}/witness"), away])
        for size in (DAY_ENTRIES + 1, DAY_ENTRIES + 2):
            game = await ann.deal()
            await play_and_resign(ann, game)
            await log_ends(club.server)
            assert await witnesses.ask() == 1
            head = await log.head(WITNESSED)
            assert head is not None
            assert read_checkpoint(head.text).size == size
            proof = await log.prove(f"game/{game}")
            assert proof is not None
            proof.note.require_signature(key_of(witness))
            proof.note.require_signature(LOG_KEY.verifier(LOG))
        fresh = Witnesses(log, [RemoteWitness(key_of(witness), f"{witness.url}/witness")])
        assert await fresh.ask() == 1  # another node, which does not know what was signed before
        wrong = Witnesses(log, [RemoteWitness(SigningKey("a", bytes(32)).verifier(WITNESS), f"{witness.url}/witness")])
        assert await wrong.ask() == 0
