"""A Citus coordinator and its workers on this machine, from installed programs, to try a distributed log.

    python -m deploy.citus.cluster FOLDER --workers 2

Every server is a separate PostgreSQL in FOLDER, with the extension `citus`. Prints the URL of the coordinator's
database, and stops all servers on SIGTERM or Ctrl-C. PostgreSQL refuses to run as root, so root runs it as the user
`postgres`.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import asyncpg

from deploy.topology import free_ports

USER = "postgres"
DATABASE = "cadogan"
_START_SECONDS = 180
_SETTINGS = """
shared_preload_libraries = 'citus'
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
max_prepared_transactions = 200
wal_level = logical
citus.node_conninfo = 'sslmode=prefer'
"""


class CitusMissing(Exception):
    """The programs of PostgreSQL or the extension are not installed. The message says which."""


def find_programs() -> Path:
    """Return the folder with the programs of a PostgreSQL that has Citus. Raises CitusMissing."""
    found = shutil.which("initdb")
    programs = [Path(found).resolve().parent] if found else []
    programs += sorted((one.parent for one in Path("/usr/lib/postgresql").glob("*/bin/initdb")), reverse=True)
    for folder in programs:
        shared = subprocess.run([folder / "pg_config", "--sharedir"], capture_output=True, text=True, check=True)
        if (Path(shared.stdout.strip()) / "extension" / "citus.control").exists():
            return folder
    raise CitusMissing("no PostgreSQL with the extension citus is installed (deploy/citus/README.md)")


class Machine:
    """One PostgreSQL server of the cluster."""

    def __init__(self, programs: Path, folder: Path, port: int) -> None:
        self.port = port
        self._programs = programs
        self._data = folder
        self._as_user = ["runuser", "-u", USER, "--"] if os.getuid() == 0 else []

    async def create(self) -> None:
        """Create the server and start it. Raises CalledProcessError."""
        await self._run("initdb", "--auth=trust", "--encoding=UTF8", "--no-sync", f"--username={USER}")
        with (self._data / "postgresql.conf").open("a") as settings:
            settings.write(f"{_SETTINGS}port = {self.port}\n")
        await self.start()

    async def start(self) -> None:
        """Start the server, and return when it answers. Raises CalledProcessError."""
        await self._run("pg_ctl", "start", "-w", "-t", str(_START_SECONDS), "-l", str(self._data / "server.log"))

    async def stop(self, mode: str = "fast") -> None:
        """Stop the server; the mode `immediate` simulates a power cut."""
        await self._run("pg_ctl", "stop", "-w", "-m", mode)

    def freeze(self) -> None:
        """Suspend every process of the server: to others it looks like a machine that no longer answers."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Resume the processes of a frozen server."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        first = (self._data / "postmaster.pid").read_text().split()[0]
        children = Path("/proc", first, "task", first, "children").read_text().split()
        for process in (first, *children):
            with suppress(ProcessLookupError):
                os.kill(int(process), number)

    async def execute(self, statement: str, database: str = USER) -> None:
        """Execute a statement in one of its databases. Raises the driver's errors."""
        connection = await asyncpg.connect(host="127.0.0.1", port=self.port, user=USER, database=database)
        try:
            await connection.execute(statement)
        finally:
            await connection.close()

    async def _run(self, program: str, *arguments: str) -> None:
        command = [*self._as_user, str(self._programs / program), "-D", str(self._data), *arguments]
        process = await asyncio.create_subprocess_exec(
            *command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/"
        )
        if code := await process.wait():
            raise subprocess.CalledProcessError(code, command)


class CitusCluster:
    """A coordinator and its workers, in folders below `folder`, which must be empty."""

    def __init__(self, folder: Path, workers: int = 2) -> None:
        programs = find_programs()
        ports = free_ports(workers + 1)
        if os.getuid() == 0:
            shutil.chown(folder, USER)
        self.coordinator = Machine(programs, folder / "coordinator", ports[0])
        self.workers = [Machine(programs, folder / f"worker{one}", ports[one]) for one in range(1, workers + 1)]

    @property
    def machines(self) -> list[Machine]:
        """The coordinator and the workers."""
        return [self.coordinator, *self.workers]

    def url(self, database: str = DATABASE) -> str:
        """The URL of a database on the coordinator."""
        return f"postgresql://{USER}@127.0.0.1:{self.coordinator.port}/{database}"

    async def create_database(self, name: str = DATABASE) -> None:
        """Create an empty database with the extension on every machine. Raises the driver's errors."""
        await asyncio.gather(*(machine.execute(f"CREATE DATABASE {name}") for machine in self.machines))
        await asyncio.gather(*(machine.execute("CREATE EXTENSION citus", name) for machine in self.machines))
        await self.coordinator.execute(f"SELECT citus_set_coordinator_host('127.0.0.1', {self.coordinator.port})", name)
        for worker in self.workers:
            await self.coordinator.execute(f"SELECT citus_add_node('127.0.0.1', {worker.port})", name)

    async def drop_database(self, name: str = DATABASE) -> None:
        """Drop a database on every machine. Raises the driver's errors."""
        for machine in self.machines:
            await machine.execute(f"DROP DATABASE {name} WITH (FORCE)")

    async def __aenter__(self) -> CitusCluster:
        await asyncio.gather(*(machine.create() for machine in self.machines))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        stopped = [machine.stop("immediate") for machine in self.machines]
        await asyncio.gather(*stopped, return_exceptions=True)


async def main() -> None:
    """Start the cluster and wait for a signal."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only say whether Citus is installed")
    parser.add_argument(
        "folder", nargs="?", type=Path, help="an empty or a new folder, which others can enter if root runs this"
    )
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    if options.check:
        print(f"Citus is installed: {find_programs()}")
        return
    if options.folder is None:
        parser.error("name an empty folder")
    options.folder.mkdir(parents=True, exist_ok=True)
    ending = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ending.set)
    async with CitusCluster(options.folder, options.workers) as cluster:
        await cluster.create_database()
        print(cluster.url(), flush=True)
        await ending.wait()


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except CitusMissing as missing:
        raise SystemExit(str(missing)) from None
