"""Two checkpoints of one log: `cadogan checkpoints` says whether they agree, with the tiles of a real server."""

import asyncio
from pathlib import Path

from cadogan.server.subjects.transparency.checkpoints import Checkpoint
from cadogan.server.subjects.transparency.notes import SigningKey, sign_note
from tests.harness.command_line import run
from tests.harness.logging_ends import log_ends
from tests.server.monitor.lived import Lived
from tests.server.monitor.test_monitor import strike


async def compare(one: Path, other: Path, *options: str) -> tuple[int, str]:
    """Exit code and last line of `cadogan checkpoints`."""
    done = await asyncio.to_thread(run, "checkpoints", str(one), str(other), *options)
    return done.exit_code, done.output.splitlines()[-1]


async def test_two_checkpoints_of_one_history_agree_and_of_two_histories_contradict(
    lived: Lived, tmp_path: Path
) -> None:
    before, later, forked = (tmp_path / name for name in ("before", "later", "forked"))
    before.write_text(await lived.watched.checkpoint())
    size = int(before.read_text().splitlines()[1])
    await strike(lived, 0)
    await log_ends(lived.server.server)
    later.write_text(await lived.watched.checkpoint())
    key, server = ("--key", lived.key.verifier().text), ("--server", lived.server.url)
    assert await compare(before, before, *key) == (0, f"both are the tree of {size} entries")
    begins = f"the tree of {size + 1} entries begins with that of {size}"
    assert await compare(later, before, *key, *server) == (0, begins)
    code, words = await compare(later, before, *key)
    assert (code, "name its server" in words) == (2, True)
    for entries in (size, size - 1):
        forked.write_text(sign_note(Checkpoint(lived.key.name, entries, bytes(32)).text, lived.key).as_text())
        code, words = await compare(before, forked, *key, *server)
        assert (code, words.startswith("CONTRADICTION: ")) == (1, True)


def test_what_is_no_checkpoint_or_not_signed_by_the_host_decides_nothing(tmp_path: Path) -> None:
    key, thief = (SigningKey("club.example/log", bytes([number]) * 32) for number in (1, 2))
    file, stolen = tmp_path / "one", tmp_path / "stolen"
    file.write_text(sign_note(Checkpoint(key.name, 3, bytes(32)).text, key).as_text())
    stolen.write_text(sign_note(Checkpoint(key.name, 3, bytes(32)).text, thief).as_text())
    done = run("checkpoints", str(file), str(stolen), "--key", key.verifier().text)
    assert (done.exit_code, "the host's key has not signed it" in done.output) == (2, True)
    stolen.write_text("no note")
    assert run("checkpoints", str(file), str(stolen)).exit_code == 2
