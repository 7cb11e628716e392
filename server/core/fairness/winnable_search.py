"""The search for a casual deal that can be won, in a child process, so that the server is not blocked.

The player waits for it, so it ends after some seconds. Then nothing is known about the deal, and nothing is stored.

As a program, it reads what to search from standard input as JSON, and writes the number of the candidate.
"""

import asyncio
import os
import sys
import time

import msgspec

from cadogan.engine.compiled import choice
from cadogan.engine.solver import SOLVER_VERSION
from cadogan.server.core.eventlog.events import Winnable
from cadogan.server.core.fairness.certificates import WINNABLE_BUDGET, find_winnable

SEARCH_SECONDS = 2.0
"""How much CPU time the candidates of one deal are searched: on a busy machine it takes longer, and finds as much."""
WAIT_SECONDS = 5.0
"""How long a search waits for its turn."""
PROCESS_SECONDS = 7.0
"""How long its process may take in all: the page sends a request again after eight seconds."""
MAX_SEARCHES = 2
"""How many searches go on at the same time in one server process."""
NICENESS = 5
"""The niceness of a search: it yields to the processes that serve."""


class _SearchRequest(msgspec.Struct):
    """A search request: the name of the game, the nonce of the player, and the secret of the deal."""

    game: str
    nonce: str
    secret: bytes
    compiled: bool


class WinnableSearch:
    """Finds casual deals that can be won. `compiled` is whether the compiled library may be used."""

    def __init__(self, compiled: bool = True) -> None:
        self._compiled = compiled
        self._turns = asyncio.Semaphore(MAX_SEARCHES)

    async def find(self, game: str, nonce: str, secret: bytes) -> Winnable | None:
        """Return the first candidate of this deal that the solver wins; None if there is none, or the time is over."""
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                await self._turns.acquire()
        except TimeoutError:
            return None
        try:
            candidate = await _search(_SearchRequest(game, nonce, secret, self._compiled))
        finally:
            self._turns.release()
        return None if candidate is None else Winnable(candidate, SOLVER_VERSION, WINNABLE_BUDGET)


async def _search(wanted: _SearchRequest) -> int | None:
    """Search in a process; None, too, if it crashes, as only compiled code can, or takes too long."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", __name__, stdin=pipe, stdout=pipe)
    try:
        async with asyncio.timeout(PROCESS_SECONDS):
            written, _ = await process.communicate(msgspec.json.encode(wanted))
    except TimeoutError:
        return None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return None if process.returncode else msgspec.json.decode(written, type=int | None)


def search_until(wanted: _SearchRequest, seconds: float) -> int | None:
    """Return the first candidate that is won; None if there is none, or if the CPU time limit is reached."""
    choice.configure(wanted.compiled)
    search = find_winnable(wanted.game, wanted.nonce, wanted.secret)
    ends_at = time.process_time() + seconds
    try:
        while time.process_time() < ends_at:
            next(search)
    except StopIteration as end:
        found: int | None = end.value
        return found
    return None


def _main() -> None:
    os.nice(NICENESS)
    found = search_until(msgspec.json.decode(sys.stdin.buffer.read(), type=_SearchRequest), SEARCH_SECONDS)
    sys.stdout.buffer.write(msgspec.json.encode(found))


if __name__ == "__main__":
    _main()
