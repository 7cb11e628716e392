"""A test's own cluster of NATS servers, with a password and TLS, each of which can be killed."""

from __future__ import annotations

import asyncio
import secrets
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.harness.databases import leave_out
from tests.harness.patience import long
from tests.harness.server_process import free_port

SIZE = 3


class NatsCluster:
    """Three servers that forward messages to each other, and accept only clients with the password."""

    def __init__(self, program: str, folder: Path) -> None:
        self._program = program
        self._folder = folder
        self._password = secrets.token_hex(8)
        self._ports = [free_port() for _ in range(SIZE)]
        self._routes = [free_port() for _ in range(SIZE)]
        self._processes: list[asyncio.subprocess.Process | None] = [None] * SIZE
        make_certificate(folder)

    def url(self, password: str | None = None, scheme: str = "tls") -> str:
        """Return the URL of all servers, for the nodes."""
        servers = ",".join(f"127.0.0.1:{port}" for port in self._ports)
        ca = f"?ca={self._folder / 'certificate.pem'}" if scheme == "tls" else ""
        return f"{scheme}://node:{password or self._password}@{servers}/club{ca}"

    async def start(self, number: int) -> None:
        """Start one server, and return when it accepts connections."""
        routes = ",".join(f"nats://127.0.0.1:{port}" for port in self._routes)
        arguments = [
            *("--addr", "127.0.0.1", "--port", str(self._ports[number]), "--user", "node", "--pass", self._password),
            *("--cluster_name", "club", "--cluster", f"nats://127.0.0.1:{self._routes[number]}", "--routes", routes),
            *("--tls", "--tlscert", str(self._folder / "certificate.pem"), "--tlskey", str(self._folder / "key.pem")),
        ]
        self._processes[number] = await asyncio.create_subprocess_exec(
            self._program, *arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        async with asyncio.timeout(long()):
            while True:
                try:
                    _, writer = await asyncio.open_connection("127.0.0.1", self._ports[number])
                except OSError:
                    await asyncio.sleep(0.02)
                    continue
                writer.close()
                return

    async def kill(self, number: int) -> None:
        """Kill one server with SIGKILL, as in a power cut."""
        process, self._processes[number] = self._processes[number], None
        if process is not None:
            process.kill()
            await process.wait()


@asynccontextmanager
async def nats_cluster(folder: Path) -> AsyncIterator[NatsCluster]:
    """Run a cluster. The test is skipped if `nats-server` is not installed."""
    program = shutil.which("nats-server")
    if program is None:
        leave_out("needs the program nats-server")
    cluster = NatsCluster(program, folder)
    try:
        for number in range(SIZE):
            await cluster.start(number)
        yield cluster
    finally:
        for number in range(SIZE):
            await cluster.kill(number)


def make_certificate(folder: Path) -> None:
    """Write a self-signed certificate for 127.0.0.1, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "certificate.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "key.pem").write_bytes(private)
