"""Appending ended streams to the transparency log, on every node that has the host key."""

import asyncio
from contextlib import suppress
from functools import partial

import structlog

from cadogan.server.transparency.signing.host_key import HostKey, KeyUnusable
from cadogan.server.transparency.signing.keys import SigningKey
from cadogan.server.transparency.signing.signed_state import LogSetBack, SignedState
from cadogan.server.transparency.transparency_log import MAX_APPENDED, OtherKey, TransparencyLog

INTERVAL_SECONDS = 5.0
"""Seconds between two polls for streams that another node has queued."""
GATHER_SECONDS = 0.5
"""Seconds for which ended streams are collected, so that many ends at once need few signatures."""

log = structlog.stdlib.get_logger("cadogan.transparency")


class Sequencer:
    """Appends ended streams to the log, soon after their end.

    `problem` says why nothing can be signed now; it is empty if nothing is wrong.
    """

    def __init__(self, transparency: TransparencyLog, key: HostKey) -> None:
        self._transparency = transparency
        self._key = key
        self._signed = SignedState(key.file)
        self._ended = asyncio.Event()
        self.problem = ""

    def wake(self) -> None:
        """Append what is queued, after `GATHER_SECONDS`."""
        self._ended.set()

    def on_end(self, _: object) -> None:
        """Append what is queued soon, after a commit that ends a run."""
        self.wake()

    async def append_all(self) -> int:
        """Append everything that is queued, and return the number of entries.

        Raises KeyUnusable and LogSetBack: nothing is signed then. Raises OtherKey if the key was rotated meanwhile.
        """
        count = 0
        key = await self.find_key()
        while await self._transparency.is_waiting():
            added = await self._transparency.append_waiting(key)
            count += added
            if added and (head := await self._transparency.head()) is not None:
                await asyncio.to_thread(self._signed.keep, head)
            if added < MAX_APPENDED:
                break
        return count

    async def find_key(self) -> SigningKey:
        """Return the key that the log requires; create one if the log is empty.

        Raises KeyUnusable, and LogSetBack if the log does not extend what was signed on this machine.
        """
        head = await self._signed.require_growth(self._transparency)
        return await asyncio.to_thread(self._key.make if head is None else partial(self._key.of, head))

    async def run(self, stopping: asyncio.Event) -> None:
        """Append ended streams until the server is stopping."""
        stopped = asyncio.ensure_future(stopping.wait())
        try:
            while not stopping.is_set():
                self._ended.clear()
                try:
                    await self.append_all()
                    self._report("")
                except KeyUnusable as error:
                    self._report(str(error), "host_key_unusable")
                except LogSetBack as error:
                    self._report(str(error), "log_set_back")
                except OtherKey:
                    self.wake()  # the key was rotated at this moment
                except Exception as error:
                    log.warning("background_task_retried", task="transparency", reason=type(error).__name__)
                woken = asyncio.ensure_future(self._ended.wait())
                await asyncio.wait([stopped, woken], timeout=INTERVAL_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                woken.cancel()
                if not stopping.is_set():
                    await asyncio.wait([stopped], timeout=GATHER_SECONDS)
        finally:
            stopped.cancel()
            with suppress(asyncio.CancelledError):
                await stopped

    def _report(self, problem: str, event: str = "") -> None:
        """Log a problem once, until it changes."""
        if problem and problem != self.problem:
            log.error(event, reason=problem)
        self.problem = problem
