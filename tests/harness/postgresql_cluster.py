"""A test's own PostgreSQL server, which can be killed and restarted without affecting other tests."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from types import TracebackType

import asyncpg

from tests.harness import databases
from tests.harness.patience import long
from tests.harness.server_process import free_port

USER = "postgres"
_SEGMENTS = ("--wal-segsize=64",)
"""Large segments reserve space for the write-ahead log: without any, a full disk makes the server crash."""
STANDBY = "standby"
"""The name that a standby reports to its primary."""


class Cluster:
    """A PostgreSQL server with its own port and folder, and default durability.

    PostgreSQL refuses to run as root, so root runs it as the user `postgres`. With its own disk of this many MiB in
    memory, it can run out of space; only root can create one.
    """

    def __init__(self, disk: int | None = None, standby_of: Cluster | None = None) -> None:
        self._binaries = _binaries()
        self._folder = Path(tempfile.mkdtemp(prefix="cadogan-postgresql-"))
        self._as_user = ["runuser", "-u", USER, "--"] if os.getuid() == 0 else []
        self._disk = disk is not None
        if disk is not None:
            _mount(self._folder, disk)
        if self._as_user:
            shutil.chown(self._folder, USER)
        self._standby_of = standby_of
        self.port = free_port()

    def require_standby(self) -> None:
        """From now on, acknowledge commits only once they are on the standby's disk as well."""
        with (self._folder / "data" / "postgresql.auto.conf").open("a") as settings:
            settings.write(f"synchronous_standby_names = '{STANDBY}'\n")
        self._run("pg_ctl", "reload")

    def promote(self) -> None:
        """Promote this standby to primary, and return when it accepts writes."""
        self._run("pg_ctl", "promote", "-w", "-t", f"{long():.0f}")

    def start(self) -> None:
        """Start the server and return when it answers. Raises CalledProcessError."""
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''"
        self._run("pg_ctl", "start", "-w", "-t", f"{long():.0f}", "-l", str(self._folder / "log"), "-o", options)

    def restart(self) -> None:
        """Close every connection and restart, as a host does after changing a setting."""
        self._run("pg_ctl", "restart", "-w", "-m", "fast", "-t", f"{long():.0f}")

    def kill(self) -> None:
        """Kill all its processes with SIGKILL, as in a power cut."""
        head = int((self._folder / "data" / "postmaster.pid").read_text().split()[0])
        os.kill(head, signal.SIGSTOP)  # so that it starts no new ones meanwhile
        found = subprocess.run(["pgrep", "-P", str(head)], capture_output=True, text=True, check=False).stdout
        family = [*map(int, found.split()), head]
        for process in family:
            os.kill(process, signal.SIGKILL)
        deadline = time.monotonic() + long()
        while any(_lives(process) for process in family) and time.monotonic() < deadline:
            time.sleep(0.01)

    def fill(self) -> None:
        """Fill the disk."""
        assert self._disk, "this would fill the machine's disk"
        with suppress(OSError), self._ballast.open("wb", buffering=0) as ballast:
            while ballast.write(bytes(4096)):
                pass

    def clear(self) -> None:
        """Free the filled space."""
        self._ballast.unlink()

    @property
    def _ballast(self) -> Path:
        return self._folder / "ballast"

    def address(self, database: str, port: int | None = None) -> str:
        """Return the URL of a database, optionally through another port."""
        return f"postgresql://{USER}@127.0.0.1:{port or self.port}/{database}"

    @asynccontextmanager
    async def database(self) -> AsyncIterator[str]:
        """Create an empty database, yield its name, and drop it."""
        name = f"cadogan_{secrets.token_hex(6)}"
        await self._execute(f"CREATE DATABASE {name}")
        yield name
        await self._execute(f"DROP DATABASE {name} WITH (FORCE)")

    async def _execute(self, statement: str) -> None:
        connection = await asyncpg.connect(self.address(USER))
        try:
            await connection.execute(statement)
        finally:
            await connection.close()

    def __enter__(self) -> Cluster:
        if self._standby_of is None:
            self._run("initdb", "--auth=trust", "--encoding=UTF8", "--no-sync", f"--username={USER}", *_SEGMENTS)
        else:
            source = f"host=127.0.0.1 port={self._standby_of.port} user={USER} application_name={STANDBY}"
            self._run("pg_basebackup", "-R", "-X", "stream", "-c", "fast", "--no-sync", "-d", source)
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        subprocess.run(
            [*self._as_user, str(self._binaries / "pg_ctl"), "stop", "-m", "immediate", "-D", self._folder / "data"],
            check=False,
            capture_output=True,
        )
        if self._disk:
            subprocess.run(["umount", "--lazy", self._folder], check=True)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._as_user, str(self._binaries / program), "-D", str(self._folder / "data"), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self._folder)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def _mount(folder: Path, size: int) -> None:
    """Mount a disk of this many MiB; skips the test if that is not permitted."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}m", "tmpfs", str(folder)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        databases.leave_out(f"needs to mount a small disk, as root on Linux may: {error}")


def _binaries() -> Path:
    """Return the folder of `initdb` and `pg_ctl`; skips the test if they are not installed."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not debian:
        databases.leave_out("needs the programs of a PostgreSQL server: initdb and pg_ctl")
    return debian[-1].parent
