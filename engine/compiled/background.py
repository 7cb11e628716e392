"""Building the library in the background, where there is a C++ compiler: once for each state of the sources.

Whoever searches in Python for want of a library calls `start_building`. The build is a process of its own at the lowest
priority; a lock lets only one run at a time in an installation. A build that failed is not tried again until the
sources change. What was built is found by processes that run already (`cadogan.engine.compiled.choice`).

``python -m cadogan.engine.compiled.background`` is that process.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread

from cadogan import engine
from cadogan.engine.compiled.building import LIBRARY, NoCompiler, build, digest_sources, find_compiler, translate_games

BUILT, BUSY, FAILED = 0, 3, 4
"""The exit codes of the process that builds."""
NICENESS = 19
LAST_LINES = 12
"""So many lines of what a compiler has said are kept."""
COMMAND = (sys.executable, "-m", "cadogan.engine.compiled.background")
OnEnd = Callable[[str | None], None]
"""Called in another thread when a build has ended: with None, or with why it failed."""


def must_build(target: Path = LIBRARY) -> bool:
    """Return whether a build is worth a try: there is a compiler, room for the library, and no failure of before."""
    folder = target.parent if target.parent.exists() else target.parent.parent
    return find_compiler() is not None and os.access(folder, os.W_OK) and _failure(target) is None


def start_building(on_end: OnEnd, command: Sequence[str] = COMMAND) -> None:
    """Start a build that goes on when this process ends; nothing happens if another process builds already."""

    def wait() -> None:
        with suppress(OSError):
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, text=True, start_new_session=True, check=False
            )
            if done.returncode == BUILT:
                on_end(None)
            elif done.returncode == FAILED:
                on_end(done.stderr.strip())

    Thread(target=wait, daemon=True).start()


def build_once(target: Path = LIBRARY, texts: dict[str, str] | None = None) -> int:
    """Build the library, unless another process does, or it has failed for these sources; return the exit code.

    `texts` is the C++ of each game, by default of all games. The reason of a failure goes to the standard error.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with (target.parent / "lock").open("w") as lock:
        if not _take(lock.fileno()) or _failure(target) is not None:
            return BUSY
        try:
            build(target, translate_games(map(engine.game, engine.slugs()))[0] if texts is None else texts)
        except NoCompiler as error:
            lines = "\n".join(str(error).splitlines()[-LAST_LINES:])
            _failed(target).write_text(f"{digest_sources()}\n{lines}\n", "utf-8")
            print(lines, file=sys.stderr)
            return FAILED
        _failed(target).unlink(missing_ok=True)
        return BUILT


def _take(file: int) -> bool:
    """Lock a file until this process ends; return False if another one has it, or this system has no such locks."""
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ImportError, OSError):
        return False
    return True


def _failed(target: Path) -> Path:
    return target.parent / "failed.txt"


def _failure(target: Path) -> str | None:
    """Return why a build of these sources has failed; None if none has."""
    try:
        digest, _, why = _failed(target).read_text("utf-8").partition("\n")
    except OSError:
        return None
    return why if digest == digest_sources() else None


if __name__ == "__main__":
    os.nice(NICENESS)
    sys.exit(build_once())
