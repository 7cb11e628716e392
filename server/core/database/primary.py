"""Finds out which of several PostgreSQL hosts is the primary, and whether a connection still goes to it.

A promoted standby starts a new timeline, with the next higher number. So of two hosts that both accept writes the one
with the higher timeline is the primary. The other one is outdated (`is_left_behind`): writes to it would be lost. A
node never goes back to a lower timeline than it has seen, and drops connections to such a host. Source: PostgreSQL
manual, "Continuous Archiving and Point-in-Time Recovery", Timelines.
"""

import asyncio
from collections.abc import Sequence
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import asyncpg
import structlog

CHECK_INTERVAL_SECONDS = 5.0
"""Seconds between two checks of all hosts. For this long an idle node may read from an outdated primary."""
FIRST_CHECK_SECONDS = 3.0
"""Seconds that the first check waits for hosts that do not answer, even if a primary was found."""

_TIMELINE = """
SELECT CASE WHEN pg_is_in_recovery() THEN NULL
            ELSE ('x' || lpad(left(pg_walfile_name(pg_current_wal_lsn()), 8), 8, '0'))::bit(32)::bigint END
"""

log = structlog.stdlib.get_logger("cadogan.database")


class Host(NamedTuple):
    """The state of a PostgreSQL host: its timeline if it accepts writes, or why it cannot be used."""

    address: str
    timeline: int | None = None
    problem: str = ""

    @property
    def is_standby(self) -> bool:
        """Whether it answers and accepts no writes."""
        return self.timeline is None and not self.problem


class NoPrimary(ConnectionError):
    """No host answers as a primary with at least the highest timeline seen before."""


class Primary:
    """Finds the primary among several hosts for every new connection, and stores the highest timeline."""

    def __init__(self) -> None:
        self.timeline = 0
        self._address = ""
        self._left_behind: set[str] = set()
        self._timelines: WeakKeyDictionary[asyncpg.Connection, int] = WeakKeyDictionary()

    async def connect(self, **arguments: Any) -> asyncpg.Connection:
        """Connect to the primary. Accepts the arguments of `asyncpg.connect`, with sequences as `host` and `port`.

        All hosts are queried concurrently. Raises NoPrimary.
        """
        addresses = _addresses(arguments)
        asked = [asyncio.create_task(_ask(host, port, arguments)) for host, port in addresses]
        found: list[tuple[Host, asyncpg.Connection | None]] = []
        chosen: asyncpg.Connection | None = None
        deadline = asyncio.get_running_loop().time() + FIRST_CHECK_SECONDS
        waiting = set(asked)
        try:
            while (best := self._best(found)) is None or not self.timeline:
                left = None if best is None else deadline - asyncio.get_running_loop().time()
                done, waiting = await asyncio.wait(waiting, timeout=left, return_when=asyncio.FIRST_COMPLETED)
                found += [task.result() for task in done]
                if not done or not waiting:
                    break
            if (best := self._best(found)) is None:
                raise NoPrimary("; ".join(self._describe(host) for host, _ in found))
            host, chosen = best
            self._learn(host, [other for other, _ in found])
            self._timelines[chosen] = self.timeline
            return chosen
        finally:
            for task in asked:
                task.cancel()
            for outcome in await asyncio.gather(*asked, return_exceptions=True):
                if not isinstance(outcome, BaseException) and outcome[1] not in (None, chosen):
                    outcome[1].terminate()

    async def check_hosts(self, **arguments: Any) -> list[Host]:
        """Return the state of every host, and store the highest timeline. Accepts the arguments of `connect`."""
        asked = [_ask(host, port, arguments) for host, port in _addresses(arguments)]
        hosts = []
        for host, connection in await asyncio.gather(*asked):
            hosts.append(host)
            if connection is not None:
                connection.terminate()
        best = max((host for host in hosts if host.timeline), key=lambda host: host.timeline or 0, default=None)
        if best is not None and (best.timeline or 0) >= self.timeline:
            self._learn(best, hosts)
        return hosts

    def is_lagging(self, connection: object) -> bool:
        """Return whether a connection goes to a host with a lower timeline than that of the primary."""
        timeline = self._timelines.get(connection) if isinstance(connection, asyncpg.Connection) else None
        return timeline is not None and timeline < self.timeline

    def _best(self, found: Sequence[tuple[Host, asyncpg.Connection | None]]) -> tuple[Host, asyncpg.Connection] | None:
        usable = [
            (host, connection)
            for host, connection in found
            if connection is not None and host.timeline is not None and host.timeline >= max(self.timeline, 1)
        ]
        return max(usable, key=lambda each: each[0].timeline or 0, default=None)

    def _learn(self, primary: Host, others: Sequence[Host]) -> None:
        timeline = primary.timeline or 0
        if self.timeline and timeline > self.timeline:
            log.warning("database_failed_over", primary=primary.address, before=self._address, timeline=timeline)
        self.timeline, self._address = max(self.timeline, timeline), primary.address
        left_behind = {host.address for host in others if host.timeline is not None and host.timeline < self.timeline}
        for address in sorted(left_behind - self._left_behind):
            log.error("database_left_behind", host=address, primary=primary.address)
        self._left_behind = left_behind

    def _describe(self, host: Host) -> str:
        if host.timeline is not None:
            return f"{host.address} was left behind, with timeline {host.timeline} instead of {self.timeline}"
        return f"{host.address} {host.problem or 'is a standby'}"


def _addresses(arguments: dict[str, Any]) -> list[tuple[str, int]]:
    hosts, ports = arguments["host"], arguments.get("port") or 5432
    ports = [ports] * len(hosts) if isinstance(ports, int) else [port or 5432 for port in ports]
    return list(zip(hosts, ports, strict=True))


async def _ask(host: str, port: int, arguments: dict[str, Any]) -> tuple[Host, asyncpg.Connection | None]:
    """Connect to one host and return its state. The connection is None if the host accepts no writes."""
    address = f"{host}:{port}"
    connection = None
    try:
        connection = await asyncpg.connect(**{**arguments, "host": host, "port": port})
        timeline = await connection.fetchval(_TIMELINE, timeout=arguments.get("timeout"))
    except (OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        if connection is not None:
            connection.terminate()
        return Host(address, problem=f"does not answer ({type(error).__name__})"), None
    except BaseException:
        if connection is not None:
            connection.terminate()
        raise
    if timeline is None:
        connection.terminate()
        return Host(address), None
    return Host(address, timeline), connection
